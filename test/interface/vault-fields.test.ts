import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { service } from "../harness.ts";
import { getFile, publishAndWait } from "./publishing.ts";

const { fetch, newOwner, newUser } = service;

type Fields = Record<string, unknown>;
type Warning = { path: string; message: string };
type Owner = Awaited<ReturnType<typeof newOwner>>;

/** Bodies that are valid by themselves, by the path of their resource. */
const bodies: Record<string, Fields> = {
  "/v1/vault/projects": { websiteURL: "https://shop.example", title: "Shop" },
  "/v1/vault/cookies": { title: "Cookies", steps: [{ name: "welcome", layout: "welcome" }] },
  "/v1/vault/processings": { title: "Newsletter" },
  "/v1/vault/contracts": { title: "Terms", file: "https://a.example/terms.pdf" },
  "/v1/content/contracts": { content: "Terms" },
  "/v1/vault/organizations": { name: "Org" },
  "/v1/vault/vendors": { name: "matomo" },
  "/v1/vault/media": { title: "Picture" },
  "/v1/vault/dpo": { fullname: "Officer" },
  "/v1/vault/tcf": { cmpId: 31 },
};
const ofProject = new Set(
  Object.keys(bodies).filter((path) => !/projects|organizations/.test(path)),
);
const listOf: Record<string, string> = {
  "/v1/vault/cookies": "cookies",
  "/v1/vault/processings": "processings",
  "/v1/vault/contracts": "contracts",
  "/v1/content/contracts": "contractsV2",
};
/** Fields that the service itself writes, with values of a client's own. */
const own: Fields = {
  _id: "mine",
  id: 12,
  createdAt: "yesterday",
  createdBy: { name: "Ada" },
  updatedAt: "today",
  updatedBy: ["Ada"],
  version: "1.2",
  links: [{ rel: "self", href: "/a" }],
  warnings: "none",
};
/** Fields that are kept, but not for visitors. */
const privately: Fields = {
  users: ["a"],
  roles: ["b"],
  rights: { c: true },
  permissions: ["d"],
  identifier: "mine",
  metadata: { e: 1 },
  assumed: ["f"],
};

async function create(owner: Owner, path: string, fields: Fields) {
  const json = {
    ...bodies[path],
    ...(ofProject.has(path) ? { projectId: owner.project.id } : {}),
    ...fields,
  };
  const { status, body } = await fetch(path, { token: owner.token, json });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

const pathsOf = ({ warnings = [] }: { warnings?: Warning[] }) =>
  warnings.map(({ path }) => path).toSorted();

describe("wire section 9: fields with the name of a service field", () => {
  for (const path of Object.keys(bodies))
    it(`are kept in _client and reported, and the service's own stay: ${path}`, async () => {
      const made = await create(await newOwner(), path, own);
      assert.deepEqual(made._client, own);
      const names = Object.keys(own).map((name) => `/${name}`);
      assert.deepEqual(
        names.filter((name) => !pathsOf(made).includes(name)),
        [],
      );
      assert.equal(made.version, 1);
      assert.match(made._id, /^[0-9a-f]{24}$/);
      assert.equal(made.id, made._id);
    });

  it("are published under their own name, apart from ids and people", async () => {
    const owner = await newOwner();
    const { _id, id, createdBy, updatedBy, ...released } = own;
    for (const path of Object.keys(listOf)) await create(owner, path, own);
    await publishAndWait(owner.token, owner.project.id, { force: true });
    const { body: file } = await getFile(owner.project.id);
    for (const list of Object.values(listOf)) {
      const [published] = file[list];
      for (const [name, value] of Object.entries(released))
        assert.deepEqual(published[name], value, `${list} ${name}`);
      for (const name of ["_id", "id", "createdBy", "updatedBy", "_client"])
        assert.ok(!(name in published), `${list} ${name}`);
    }
    assert.ok(_id && id && createdBy && updatedBy);
  });

  for (const path of Object.keys(bodies))
    it(`cause no warning in a document that is sent back as it was read: ${path}`, async () => {
      const { token, ...rest } = await newOwner();
      const owner = { token, ...rest };
      const made = await create(owner, path, { odd: [1] });
      const at = `${path}/${made.id}`;
      const read = async () => (await fetch(at, { token })).body;
      const first = await read();
      const put = async (json: Fields) => {
        const { status, body } = await fetch(at, { token, method: "PUT", json });
        assert.equal(status, 200, JSON.stringify(body));
        // A field of no meaning here, reported where publishing leaves it out.
        const reported = pathsOf(body).filter((one) => one !== "/odd");
        assert.deepEqual(reported, []);
        assert.equal(body._client, undefined);
        return body;
      };
      await put(first);
      await put({ ...first, odd: [2] });
      const patched = await fetch(at, { token, method: "PATCH", json: { ...first, odd: [2] } });
      assert.deepEqual([patched.status, patched.body.warnings], [200, undefined]);
      await put(await read());
      // Read long ago, with a version of the client's own.
      const mixed = await fetch(at, { token, method: "PUT", json: { ...first, version: {} } });
      assert.deepEqual(mixed.body._client, { version: {} });
      // The whole document as a new one, such as a copy into another installation.
      const { status, body: copy } = await fetch(path, { token, json: first });
      assert.equal(status, 201);
      assert.equal(copy._client, undefined);
      assert.notEqual(copy.id, first.id);
    });

  it("are kept for a client with its own versions at every write, and removed by a patch", async () => {
    const owner = await newOwner();
    const { token } = owner;
    const made = await create(owner, "/v1/vault/cookies", { version: {} });
    assert.deepEqual(made._client, { version: {} });
    const write = async (method: string, json: Fields) => {
      const { status, body } = await fetch(made.links.self, { token, method, json });
      assert.equal(status, 200, JSON.stringify(body));
      return [body._client?.version, pathsOf(body)];
    };
    const { projectId, title } = made;
    const json = { projectId, title };
    for (const version of [1, 2, "1.3", 7, { a: 1 }])
      assert.deepEqual(await write("PUT", { ...json, version }), [version, ["/version"]]);
    // The service's number is 6 now.
    assert.deepEqual(await write("PATCH", { version: "9" }), ["9", ["/version"]]);
    const { body: read } = await fetch(made.links.self, { token });
    assert.equal(read.version, 7);
    assert.deepEqual(await write("PUT", read), ["9", []]);
    assert.deepEqual(await write("PATCH", { version: null }), [undefined, []]);
    assert.deepEqual(await write("PUT", { ...json, version: 9 }), [undefined, []]);
    assert.deepEqual(await write("PUT", { ...json, version: 99 }), [99, ["/version"]]);
    assert.deepEqual(await write("PUT", json), [undefined, []]);
  });

  it("are kept on projects as well, which have more of them", async () => {
    const owner = await newOwner();
    const reserved = {
      active: true,
      billing: { customer: "c" },
      metadata: { a: 1 },
      name: "Other",
    };
    const made = await create(owner, "/v1/vault/projects", { ...reserved, tcf: { a: 1 } });
    assert.deepEqual(made._client, reserved);
    assert.equal(made.name, "Shop");
    assert.deepEqual(made.metadata, {});
    assert.deepEqual(pathsOf(made), ["/active", "/billing", "/metadata", "/name", "/tcf"]);
    const { body: client } = await fetch("/v1/client/", {
      token: owner.token,
      json: { name: "A", website: "https://a.example", configuration: { version: "1.2" } },
    });
    assert.deepEqual(pathsOf(client), ["/configuration/version"]);
    assert.deepEqual(client.configuration._client, { version: "1.2" });
  });

  it("hide nothing of what schemas check: _client releases only names of service fields", async () => {
    const owner = await newOwner();
    const steps = [{ name: "a", layout: "info", message: "<script>alert(1)</script>" }];
    const _client = { steps, strings: { a: "b" }, identifier: "x", users: ["a"] };
    await create(owner, "/v1/vault/processings", { _client });
    await publishAndWait(owner.token, owner.project.id, { force: true });
    const { body: file } = await getFile(owner.project.id);
    const [published] = file.processings;
    assert.ok(!("steps" in published) && !("strings" in published));
    assert.match(published.identifier, /^[0-9a-f]{24}$/);
    assert.equal(published._client.users, undefined);
  });
});

describe("wire section 9: nothing is dropped without a warning", () => {
  it("names fields that are kept, but not published", async () => {
    const owner = await newOwner();
    for (const path of Object.keys(listOf)) {
      const nested = { deep: [{ users: 1, "a/b": { billing: 2 } }] };
      const made = await create(owner, path, { ...privately, ...nested });
      assert.deepEqual(
        pathsOf(made),
        [
          ...Object.keys(privately).map((name) => `/${name}`),
          "/deep/0/a~1b/billing",
          "/deep/0/users",
        ].toSorted(),
      );
      for (const [name, value] of Object.entries(privately)) assert.deepEqual(made[name], value);
      const again = await fetch(made.links.self, {
        token: owner.token,
        method: "PATCH",
        json: { title: "New" },
      });
      assert.equal(again.body.warnings, undefined, "only additions of a write are reported");
    }
  });

  it("reports that a further officer or TCF setting replaces the one before in publications", async () => {
    const owner = await newOwner();
    for (const path of ["/v1/vault/dpo", "/v1/vault/tcf"]) {
      assert.deepEqual(pathsOf(await create(owner, path, {})), []);
      assert.deepEqual(pathsOf(await create(owner, path, {})), ["/projectId"]);
    }
    assert.deepEqual(pathsOf(await create(owner, "/v1/vault/tcf", { stacks: [1] })), [
      "/projectId",
      "/stacks",
    ]);
  });

  it("holds for any fields: each is answered, and published or reported", async () => {
    const owner = await newOwner();
    const anyName = fc.oneof(
      fc.constantFrom(...Object.keys(own), ...Object.keys(privately), "tcf", "stacks", "_client"),
      fc.stringMatching(/^[a-z][a-zA-Z ./~]{0,8}$/),
    );
    const typed = new Set(["name", "title", "language", "steps", "file", "content", "config"]);
    const anyValue = fc.jsonValue({ maxDepth: 2, noUnicodeString: true });
    const fields = fc.dictionary(
      anyName.filter((one) => !typed.has(one)),
      anyValue.filter((one) => one !== null),
      { maxKeys: 6, noNullPrototype: true },
    );
    // As JSON, which has no negative zero.
    const sent: Fields[] = JSON.parse(JSON.stringify(fc.sample(fields, { numRuns: 40, seed: 22 })));
    const made: { list: string; json: Fields; body: Fields & { id: string } }[] = [];
    for (const [index, json] of sent.entries()) {
      const [path = "", list = ""] = Object.entries(listOf)[index % 4] ?? [];
      const known = { language: "en", ...json };
      const { token, project } = owner;
      const answer = await fetch(path, {
        token,
        json: { ...bodies[path], projectId: project.id, ...known },
      });
      // Known fields with another type are refused, which is an answer too.
      if (answer.status === 201) made.push({ list, json: known, body: answer.body });
      else assert.equal(answer.status, 400, JSON.stringify([known, answer.body]));
    }
    assert.ok(made.length > 20, `${made.length} documents`);
    await publishAndWait(owner.token, owner.project.id, { force: true });
    const { body: file } = await getFile(owner.project.id);
    for (const { list, json, body } of made) {
      const published: Fields = file[list].find((one: Fields) => one["identifier"] === body.id);
      const reported = pathsOf(body as { warnings?: Warning[] });
      for (const [name, value] of Object.entries(json)) {
        const kept = (body["_client"] ?? {}) as Fields;
        assert.ok(
          isSame(body[name], value) || isSame(kept[name], value) || name === "_client",
          `${name} is answered: ${JSON.stringify([value, body])}`,
        );
        const at = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        assert.ok(
          isSame(published[name], value) ||
            reported.some((path) => path === at || path.startsWith(`${at}/`)) ||
            name === "_client",
          `${name} is published or reported: ${JSON.stringify([value, published, reported])}`,
        );
      }
    }
  });

  it("keeps a form in the project of its address, and reports another", async () => {
    const { token, project } = await newOwner();
    const other = await service.newProject(token);
    const { status, body } = await fetch(`/v1/client/${project.id}/forms`, {
      token,
      json: { collection: "cookies", title: "Cookies", projectId: other.id },
    });
    assert.equal(status, 201);
    assert.equal(body.projectId, project.id);
    assert.deepEqual(pathsOf(body), ["/projectId"]);
  });

  it("answers the same on replay", async () => {
    const { token } = await newUser();
    const request = {
      token,
      json: { name: "a", version: "1.2" },
      headers: { "idempotency-key": `fields-${Date.now()}` },
    };
    const first = await fetch("/v1/vault/organizations", request);
    const second = await fetch("/v1/vault/organizations", request);
    assert.deepEqual(pathsOf(first.body), ["/version"]);
    assert.deepEqual(second.body, first.body);
  });
});

function isSame(one: unknown, other: unknown): boolean {
  try {
    assert.deepEqual(one, other);
    return true;
  } catch {
    return false;
  }
}

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { toBanner } from "../../packages/admin/ready-made/banner.ts";
import { toBlank, toTranslatedName } from "../../packages/admin/ready-made/blank.ts";
import { commonServices } from "../../packages/admin/ready-made/proposal.ts";
import { service } from "../harness.ts";
import { readLikeOldReader } from "../old-reader.ts";
import { getFile, publishAndWait, waitForJob } from "./publishing.ts";

const { fetch, newOwner, newProject } = service;

type Owner = Awaited<ReturnType<typeof newOwner>>;

async function create({ token, project }: Owner, resource: string, fields: object = {}) {
  const json = { projectId: project.id, ...fields };
  const path = resource === "content" ? "/v1/content/contracts" : `/v1/vault/${resource}`;
  const { status, body } = await fetch(path, { token, json });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

const change = (
  { token }: Owner,
  method: string,
  { links }: { links: { self: string } },
  json: object,
) => fetch(links.self, { token, method, json });

const welcome = { name: "welcome", layout: "welcome", title: "Hello", message: "<p>Cookies?</p>" };

describe("wire section 9, the name of a configuration", () => {
  it("comes from the title, else from the id, and is unique in the project", async () => {
    const owner = await newOwner();
    const title = "Vos  choix, en matière de cœur & Straße !";
    const slug = "vos-choix-en-matiere-de-coeur-strasse";
    const first = await create(owner, "cookies", { title });
    assert.equal(first.name, slug);
    assert.equal(first.warnings, undefined);
    assert.equal((await create(owner, "cookies", { title })).name, `${slug}-2`);
    assert.equal((await create(owner, "processings", { title })).name, `${slug}-3`);
    const long = await create(owner, "content", { config: { title }, content: "x" });
    assert.equal(long.name, `${slug}-4`);
    for (const untitled of [{}, { title: "  " }, { title: "日本語" }]) {
      const made = await create(owner, "contracts", untitled);
      assert.equal(made.name, made.id);
    }
    const { body: form } = await fetch(`/v1/client/${owner.project.id}/forms`, {
      token: owner.token,
      json: { collection: "cookies", title },
    });
    assert.equal(form.name, `${slug}-5`);
    const elsewhere = { ...owner, project: await newProject(owner.token) };
    assert.equal((await create(elsewhere, "cookies", { title })).name, slug);
    const officer = await create(owner, "dpo", { title });
    assert.equal(officer.name, undefined, "only configurations have a name");
  });

  it("is unique for configurations that are created at once", async () => {
    const owner = await newOwner();
    const made = await Promise.all(
      Array.from({ length: 20 }, () => create(owner, "cookies", { title: "Cookies" })),
    );
    assert.equal(new Set(made.map(({ name }) => name)).size, 20);
  });

  it("stays when the title changes, and changes when the client sends another", async () => {
    const owner = await newOwner();
    const made = await create(owner, "cookies", { title: "Cookies" });
    const { projectId } = made;
    const nameAfter = async (method: string, json: object) => {
      const { status, body } = await change(owner, method, made, json);
      assert.equal(status, 200, JSON.stringify(body));
      return [body.name, body.warnings?.map(({ path }: { path: string }) => path)];
    };
    assert.deepEqual(await nameAfter("PUT", { projectId, title: "New" }), ["cookies", undefined]);
    assert.deepEqual(await nameAfter("PATCH", { title: "Newer" }), ["cookies", undefined]);
    assert.deepEqual(await nameAfter("PATCH", { name: null }), ["cookies", ["/name"]]);
    assert.deepEqual(await nameAfter("PUT", { projectId, name: " " }), ["cookies", ["/name"]]);
    assert.deepEqual(await nameAfter("PATCH", { name: "shop" }), ["shop", undefined]);
    assert.deepEqual(await nameAfter("PUT", { projectId, name: "My shop" }), [
      "My shop",
      undefined,
    ]);
    const restored = await fetch(`${made.links.versions}/1/restore`, {
      token: owner.token,
      method: "POST",
    });
    assert.equal(restored.body.name, "cookies");
  });

  it("that the client sends is kept, and made unique with a warning when it is taken", async () => {
    const owner = await newOwner();
    const named = async (resource: string, fields: object) => {
      const { name, warnings } = await create(owner, resource, fields);
      return [name, warnings];
    };
    assert.deepEqual(await named("cookies", { name: "shop" }), ["shop", undefined]);
    const [name, warnings] = await named("cookies", { name: "shop", language: "fr" });
    assert.equal(name, "shop-2");
    assert.deepEqual(warnings, [
      { path: "/name", message: "is taken by another configuration: the name is `shop-2`." },
    ]);
    assert.deepEqual(await named("contracts", { name: "shop" }), ["shop", undefined]);
    const own = await create(owner, "cookies", { name: "own" });
    const taken = await change(owner, "PATCH", own, { name: "shop" });
    assert.deepEqual([taken.status, taken.body.name], [200, "shop-3"]);
    const again = await change(owner, "PUT", own, taken.body);
    assert.deepEqual([again.status, again.body.name], [200, "shop-3"]);
    assert.equal(again.body.warnings, undefined);
  });

  it("is shared by the translations of a form, which pages embed by it", async () => {
    const owner = await newOwner();
    const namesOf = (resource: string) =>
      Promise.all(
        [{ language: "en" }, { language: "fr" }, {}].map(
          async (fields) => (await create(owner, resource, { name: "terms", ...fields })).name,
        ),
      );
    assert.deepEqual(await namesOf("contracts"), ["terms", "terms", "terms"]);
    const same = await create(owner, "contracts", { name: "terms", language: "fr" });
    assert.equal(same.name, "terms-2");
  });
});

describe("wire section 9, published configurations", () => {
  it("are found by readers that skip those without name, title or language", async () => {
    const owner = await newOwner();
    const { token, project } = owner;
    await fetch(`/v1/vault/projects/${project.id}`, {
      token,
      method: "PATCH",
      json: { locales: ["fr", "en"] },
    });
    const bare = await create(owner, "cookies", { steps: [welcome] });
    const named = await create(owner, "contracts", { name: "cgv", file: "https://a.example/t" });
    const long = await create(owner, "content", { config: { title: "Charte" }, content: "x" });
    await publishAndWait(token, project.id, { force: true });
    const { body } = await getFile(project.id);
    const language = "fr";
    assert.deepEqual(readLikeOldReader(body), [
      { list: "cookies", identifier: bare.id, name: bare.id, title: bare.id, language },
      { list: "contracts", identifier: named.id, name: "cgv", title: "cgv", language },
      { list: "contractsV2", identifier: long.id, name: "charte", title: "Charte", language },
    ]);
    assert.deepEqual(body.cookies[0].assumed, ["title", "language"]);
    assert.deepEqual(body.contractsV2[0].assumed, ["language"]);
  });

  it("include the banners that the admin app makes", async () => {
    const owner = await newOwner();
    const projectId = owner.project.id;
    const chosen = commonServices.filter(({ name }) => name === "matomo");
    const banner = await create(owner, "cookies", toBanner({ projectId, language: "en", chosen }));
    const blank = await create(owner, "cookies", toBlank("cookies", projectId, "en"));
    const name = toTranslatedName(banner, "fr");
    const french = await create(owner, "cookies", { ...banner, name, language: "fr" });
    assert.equal(french.warnings, undefined);
    await publishAndWait(owner.token, projectId);
    const { body } = await getFile(projectId);
    assert.deepEqual(
      readLikeOldReader(body).map((one) => [one.identifier, one.name, one.language]),
      [
        [banner.id, "banner-en", "en"],
        [blank.id, "banner-en-2", "en"],
        [french.id, "banner-fr", "fr"],
      ],
    );
  });

  it("get the vault's names when a version without names is put live again", async () => {
    const owner = await newOwner();
    const { token, project } = owner;
    const [one, two] = [
      await create(owner, "cookies", { title: "Cookies", steps: [welcome] }),
      await create(owner, "cookies", { title: "Cookies", steps: [welcome] }),
    ];
    await publishAndWait(token, project.id);
    // As an earlier version of the service has published it.
    await sql`UPDATE publications SET content = regexp_replace(content, '"(name":"cookies(-2)?|language":"en)",', '', 'g')
      WHERE project_id = ${project.id}`.execute(service.db);
    await fetch(`/v1/vault/cookies/${one.id}`, { token, method: "DELETE" });
    await publishAndWait(token, project.id);
    const { body: job } = await fetch(`/v1/publish/projects/${project.id}/versions/1/rollback`, {
      token,
      method: "POST",
    });
    assert.equal((await waitForJob(token, job)).status, "Done");
    const { body: restored } = await getFile(project.id);
    assert.deepEqual(
      readLikeOldReader(restored).map(({ identifier, name }) => [identifier, name]),
      [
        [one.id, "cookies"],
        [two.id, "cookies-2"],
      ],
    );
  });
});

import assert from "node:assert/strict";
import { type Json, assertStatus, toList, toText, toPlain } from "../client.ts";
import { behaviour, section } from "../behaviour.ts";
import { dataProtectionOfficer, toBanner, toContract, toProcessing, vendor } from "../documents.ts";
import {
  create,
  createCompleteProject,
  openSite,
  publishDone,
  readPublished,
  toFileAddress,
} from "../site.ts";
import { openOwner, visitor } from "../target.ts";

const empty = ["contractsV2", "portability", "contracts", "processings", "cookies"];
const SHORT_LIFE_SECONDS_MAX = 3600;

async function createOnProject(fields: object = {}): Promise<string> {
  return toText((await createCompleteProject(fields))["_id"]);
}

function listConfigurations(file: Json): readonly Json[] {
  return ["cookies", "processings", "contracts"].flatMap((name) => toList(file[name]));
}

section("Published file", { isConcurrent: true }, () => {
  behaviour("lies at {projectId}.json with the members of the format", "wire 3", async () => {
    const { projectId, job } = await openSite();
    const file = await readPublished(job);
    assert.equal(file["projectId"], projectId);
    assert.equal(file["jobId"], job["_id"]);
    assert.equal(file["version"], job["version"]);
    assert.equal(file["hash"], job["hash"]);
    assert.equal(file["shadowRoot"], true);
    assert.match(toText(file["publishedAt"]), /^\d{4}-.+\.\d{3}Z$/);
    assert.equal(typeof file["projectName"], "string");
    assert.deepEqual(file["client"]?.["DPO"], dataProtectionOfficer);
    for (const name of empty) assert.ok(Array.isArray(file[name]), name);
    for (const name of ["client", "privacypolicy", "dpo"])
      assert.equal(typeof file[name], "object", name);
  });

  behaviour("has the design of the project", "wire 3", async () => {
    const design = {
      colors: { main: "#ffc823" },
      fonts: { title: "Lato" },
      widgetStyle: { position: "bottom-right" },
      overlayStyle: { opacity: 0.5 },
    };
    const projectId = await createOnProject(design);
    await create("cookies", toBanner(projectId));
    const { client } = await readPublished(await publishDone(projectId));
    for (const [name, value] of Object.entries(design))
      assert.deepEqual(client?.[name], value, name);
  });

  behaviour("has each configuration with its fields", "wire 3", async () => {
    const { banner, processing, contract, job, projectId } = await openSite();
    const file = await readPublished(job);
    const find = (id: string) =>
      listConfigurations(file).find(({ identifier }) => toPlain(identifier) === id);
    for (const id of [banner, processing, contract]) {
      assert.ok(find(id), `the configuration ${id}`);
      assert.equal(find(id)?.["projectId"], projectId);
    }
    const sent = toProcessing(projectId) as Record<string, unknown>;
    for (const name of ["title", "purpose", "personalDataTypes", "storageDuration", "accept"])
      assert.deepEqual(find(processing)?.[name], sent[name], name);
    const terms = toContract(projectId) as Record<string, unknown>;
    for (const name of ["file", "title", "idRequired"])
      assert.deepEqual(find(contract)?.[name], terms[name], name);
    const step = toList(find(banner)?.["steps"])[1];
    assert.equal(step?.["layout"], "category");
    assert.equal(toList(step?.["vendors"])[0]?.["title"], vendor.title);
  });

  behaviour("gives every configuration a name, a title and a language", "wire 9", async () => {
    const projectId = await createOnProject({ locales: ["fr", "en"] });
    const body = { ...toBanner(projectId), title: undefined, language: undefined };
    await create("cookies", body);
    await create("cookies", body);
    await create("processings", { ...toProcessing(projectId), language: undefined });
    await create("contracts", { ...toContract(projectId), name: undefined, language: undefined });
    const file = await readPublished(await publishDone(projectId));
    const configurations = listConfigurations(file);
    assert.equal(configurations.length, 4);
    for (const configuration of configurations)
      for (const name of ["name", "title", "language"])
        toText(configuration[name], `${name} of ${JSON.stringify(configuration["identifier"])}`);
    const names = configurations.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length, "names are unique");
    for (const { language } of configurations) assert.equal(language, "fr");
  });

  behaviour("keeps the name of a configuration over changes of its title", "wire 9", async () => {
    const { client } = await openOwner();
    const projectId = await createOnProject();
    const form = await create("processings", toProcessing(projectId, { title: "First title" }));
    const first = await readPublished(await publishDone(projectId));
    const path = `/v1/vault/processings/${toText(form["_id"])}`;
    assertStatus(await client.patch(path, { title: "Second title" }), 200);
    const second = await readPublished(await publishDone(projectId));
    const [before, after] = [first, second].map((file) => toList(file["processings"])[0]);
    assert.equal(after?.["title"], "Second title");
    assert.equal(toText(before?.["name"], "name"), after?.["name"]);
  });

  behaviour("publishes a client's own version under its own name", "wire 9", async () => {
    const projectId = await createOnProject();
    const version = { major: 2 };
    await create("cookies", toBanner(projectId, { version }));
    const file = await readPublished(await publishDone(projectId));
    assert.deepEqual(toList(file["cookies"])[0]?.["version"], version);
  });

  behaviour("writes out vault vendors", "wire 3", async () => {
    const projectId = await createOnProject();
    const own = await create("vendors", { projectId, ...vendor });
    const steps = [{ name: "one", layout: "category", title: "One", vendors: [own["_id"]] }];
    await create("cookies", toBanner(projectId, { steps }));
    const file = await readPublished(await publishDone(projectId));
    const step = toList(toList(file["cookies"])[0]?.["steps"])[0];
    assert.equal(toList(step?.["vendors"])[0]?.["name"], vendor.name);
    assert.equal(toList(step?.["vendors"])[0]?.["policyUrl"], vendor.policyUrl);
  });

  behaviour("has no private field", "wire 3", async () => {
    const { email, id } = await openOwner();
    const { job } = await openSite();
    const file = await readPublished(job);
    const text = JSON.stringify(file);
    assert.ok(!text.includes(email), "the owner's address");
    assert.ok(!text.includes(id), "the owner's id");
    assert.doesNotMatch(text, /"(?:users|billing|roles|createdBy|updatedBy)"/);
  });

  behaviour("has a short life, an ETag and CORS", "wire 0, 3", async () => {
    const { job } = await openSite();
    const { headers } = assertStatus(await visitor.get(toFileAddress(job)), 200);
    const cacheControl = headers.get("cache-control") ?? "";
    const maxAge = Number(/max-age=(\d+)/.exec(cacheControl)?.[1] ?? Number.NaN);
    assert.ok(maxAge <= SHORT_LIFE_SECONDS_MAX, `Cache-Control: ${cacheControl}`);
    assert.doesNotMatch(cacheControl, /immutable/);
    assert.ok(headers.get("etag"), "ETag");
    assert.equal(headers.get("access-control-allow-origin"), "*");
    assert.match(headers.get("content-type") ?? "", /^application\/json/);
  });

  behaviour("answers 304 without content headers", "wire 0, 9", async () => {
    const { job } = await openSite();
    const address = toFileAddress(job);
    const etag = (await visitor.get(address)).headers.get("etag") ?? "";
    const answer = await visitor.get(address, { headers: { "if-none-match": etag } });
    assertStatus(answer, 304);
    assert.equal(answer.headers.get("content-type"), null, "Content-Type of 304");
    assert.equal(answer.headers.get("content-length"), null, "Content-Length of 304");
  });

  behaviour("is kept unchanged under the hash of its content", "wire 3", async (t) => {
    const { client } = await openOwner();
    const projectId = await createOnProject();
    const form = await create("processings", toProcessing(projectId, { title: "Immutable" }));
    const first = await publishDone(projectId);
    const hash = toText(first["hash"]);
    const versions = `/v1/publish/projects/${projectId}/versions`;
    const { text } = assertStatus(await client.get(versions), 200);
    const address = [JSON.stringify(first), text]
      .flatMap((source) => [...source.matchAll(/"(https?:[^"]+)"/g)])
      .map(([, url = ""]) => url)
      .find((url) => url.includes(hash));
    if (address === undefined) return t.skip("no answer links to the content by its hash");
    const before = assertStatus(await visitor.get(address), 200);
    assert.match(before.headers.get("cache-control") ?? "", /immutable/);
    const path = `/v1/vault/processings/${toText(form["_id"])}`;
    assertStatus(await client.patch(path, { title: "Changed" }), 200);
    const second = await publishDone(projectId);
    assert.notEqual(second["hash"], hash);
    const after = assertStatus(await visitor.get(`${address}?again`), 200);
    assert.equal(after.text, before.text);
  });

  behaviour("has every configuration's collection even when it is empty", "wire 3", async () => {
    const projectId = await createOnProject();
    await create("processings", toProcessing(projectId));
    const file = await readPublished(await publishDone(projectId));
    assert.deepEqual(file["cookies"], []);
    assert.deepEqual(file["contracts"], []);
    assert.deepEqual(file["portability"], []);
  });
});

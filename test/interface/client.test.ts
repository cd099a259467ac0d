import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { documentIdPattern } from "../../packages/server/kernel/ids.ts";
import { service } from "../harness.ts";
import { newSite, publish, share } from "./site.ts";

const unknownId = "0123456789abcdef01234567";
const projectAt = (id: string) => hrefOf("", paths.clientProject, { id });

describe("GET /v1/client/", () => {
  test("returns an array of all projects, with the page headers", async () => {
    const { token } = await service.newUser();
    const empty = await service.fetch(paths.clientProjects, { token });
    assert.deepEqual(empty.body, []);
    assert.equal(empty.headers.get("x-last-page"), "1");
    const made = await Promise.all([service.newProject(token), service.newProject(token)]);
    const { status, body, headers } = await service.fetch(paths.clientProjects, { token });
    assert.equal(status, 200);
    const ids = (list: { id: string }[]) => list.map((p) => p.id).toSorted();
    assert.deepEqual(ids(body), ids(made));
    assert.equal(headers.get("x-total-count"), "2");
    const page = await service.fetch(`${paths.clientProjects}?perPage=1&page=2`, { token });
    assert.equal(page.body.length, 1);
  });

  test("accepts a missing trailing slash, and the token as access_token", async () => {
    const { token } = await service.newUser();
    await service.newProject(token);
    const { status, body, headers } = await service.fetch(`/v1/client?access_token=${token}`);
    assert.equal(status, 200);
    assert.equal(body.length, 1);
    assert.doesNotMatch(headers.get("link") ?? "", /access_token/);
  });

  test("returns 403 without a token, and never a foreign project; an auditor sees what they may read", async () => {
    const [site, other] = await Promise.all([newSite(), newSite()]);
    assert.equal((await service.fetch(paths.clientProjects)).status, 403);
    const { body } = await service.fetch(paths.clientProjects, { token: other.token });
    assert.deepEqual(
      body.map((p: { id: string }) => p.id),
      [other.id],
    );
    const seen = await service.fetch(paths.clientProjects, { token: await share(site, "auditor") });
    assert.deepEqual(
      seen.body.map((p: { id: string }) => p.id),
      [site.id],
    );
  });
});

describe("GET /v1/client/{id}", () => {
  test("returns details of the project: every field of the specification's table", async () => {
    const { token } = await service.newUser();
    const dataProcessor = { name: "Shop Ltd", address: "1 High Street" };
    const { id } = await service.newProject(token, { dataProcessor, colors: { main: "#123456" } });
    const { status, body } = await service.fetch(projectAt(id), { token });
    assert.equal(status, 200);
    assert.equal(body._id, id);
    assert.equal(body.id, id);
    assert.equal(body.active, false);
    assert.equal(body.name, "Shop");
    assert.equal(body.website, "https://shop.example");
    assert.deepEqual(body.dataProcessor, dataProcessor);
    assert.deepEqual(body.configuration.colors, { main: "#123456" });
    assert.equal(body.configuration.title, "Shop");
    assert.deepEqual(body.documents, []);
    assert.deepEqual(body.processingActivities, []);
    const names = ["accepted", "configuration", "consents", "publish", "self", "tokens"];
    assert.deepEqual(Object.keys(body.links).toSorted(), names);
    assert.equal(body.links.self, service.url + projectAt(id));
  });

  test("has `active` true (no demo banner) once the project is published", async () => {
    const site = await newSite();
    const read = async () =>
      (await service.fetch(projectAt(site.id), { token: site.token })).body.active;
    assert.equal(await read(), false);
    await publish(site);
    assert.equal(await read(), true);
  });

  test("has `documents` with identifier, name, language, file.originalName, file.uploadedAt", async () => {
    const site = await newSite();
    const { body } = await service.fetch(projectAt(site.id), { token: site.token });
    const [document] = body.documents;
    const contract = await service.fetch(`/v1/vault/contracts/${site.contract}`, {
      token: site.token,
    });
    assert.deepEqual(document, {
      identifier: site.contract,
      name: "terms",
      language: "en",
      file: {
        originalName: "terms of sale.pdf",
        url: contract.body.file,
        uploadedAt: contract.body.createdAt,
      },
    });
  });

  test("has `processingActivities` with identifier, name, language, data, third parties, withdrawal, acceptance", async () => {
    const site = await newSite();
    const { body } = await service.fetch(projectAt(site.id), { token: site.token });
    assert.deepEqual(body.processingActivities, [
      {
        identifier: site.processing,
        name: "Newsletter",
        language: "en",
        personalDataTypes: ["email"],
        dataTransferThirdParties: [{ name: "Mailer", role: "sends" }],
        consentWithdrawProcedure: "Write to us",
        accept: "I want the news",
      },
    ]);
  });

  test("returns 304 for If-None-Match with the ETag until a form changes it", async () => {
    const site = await newSite();
    const first = await service.fetch(projectAt(site.id), { token: site.token });
    const headers = { "if-none-match": first.headers.get("etag") ?? "" };
    assert.equal(
      (await service.fetch(projectAt(site.id), { token: site.token, headers })).status,
      304,
    );
    const json = { title: "Other" };
    await service.fetch(`/v1/vault/processings/${site.processing}`, {
      method: "PATCH",
      token: site.token,
      json,
    });
    assert.equal(
      (await service.fetch(projectAt(site.id), { token: site.token, headers })).status,
      200,
    );
  });

  test("returns 403 without a token, 404 for an unknown or foreign project", async () => {
    const [site, other] = await Promise.all([newSite(), newSite()]);
    assert.equal((await service.fetch(projectAt(site.id))).status, 403);
    assert.equal((await service.fetch(projectAt(site.id), { token: other.token })).status, 404);
    assert.equal((await service.fetch(projectAt(unknownId), { token: site.token })).status, 404);
    assert.equal((await service.fetch(projectAt("no-id"), { token: site.token })).status, 404);
  });
});

const whole = {
  name: "My shop",
  website: "https://my.shop.example",
  configuration: { colors: { main: "#abcdef" }, locales: ["en"], custom: [1] },
  dataProcessor: { name: "Shop Ltd" },
  documents: [
    { name: "Terms", language: "en" },
    { identifier: "privacy", name: "Privacy" },
  ],
  processingActivities: [{ name: "News", personalDataTypes: ["email"] }],
};

describe("POST /v1/client/, PUT and PATCH /v1/client/{id}", () => {
  test("create and modify projects: 201 with every field; entries without identifier get one", async () => {
    const { token } = await service.newUser();
    const {
      status,
      body: written,
      headers,
    } = await service.fetch(paths.clientProjects, {
      token,
      json: whole,
    });
    assert.equal(status, 201, JSON.stringify(written));
    const { warnings, ...body } = written;
    assert.deepEqual(
      warnings.map(({ path }: { path: string }) => path),
      ["/configuration/custom"],
    );
    assert.equal(headers.get("location"), body.links.self);
    assert.equal(body.name, whole.name);
    assert.equal(body.website, whole.website);
    assert.deepEqual(body.configuration.colors, whole.configuration.colors);
    assert.deepEqual(body.configuration.custom, [1]);
    assert.deepEqual(body.dataProcessor, whole.dataProcessor);
    assert.match(body.documents[0].identifier, documentIdPattern);
    assert.equal(body.documents[0].name, "Terms");
    assert.deepEqual(body.documents[1], whole.documents[1]);
    assert.match(body.processingActivities[0].identifier, documentIdPattern);
    const read = await service.fetch(body.links.self, { token });
    assert.deepEqual(read.body, body);
    assert.equal(read.headers.get("etag"), headers.get("etag"));
    const vault = await service.fetch(body.links.configuration, { token });
    assert.equal(vault.body.title, whole.name);
    assert.equal(vault.body.websiteURL, whole.website);
  });

  test("create one project for the same Idempotency-Key", async () => {
    const { token, id } = await service.newUser();
    const headers = { "idempotency-key": id };
    const send = () => service.fetch(paths.clientProjects, { token, json: whole, headers });
    const [first, again] = [await send(), await send()];
    assert.equal(first.status, 201);
    assert.deepEqual(again.body, first.body);
    assert.equal((await service.fetch(paths.clientProjects, { token })).body.length, 1);
  });

  test("return 400 with every error of an invalid body", async () => {
    const { token } = await service.newUser();
    const json = { website: "ftp://x", documents: {}, configuration: 1, dataProcessor: [] };
    const { status, body } = await service.fetch(paths.clientProjects, { token, json });
    assert.equal(status, 400);
    const at = body.errors.map((e: { path: string }) => e.path).toSorted();
    assert.deepEqual(at, ["/configuration", "/dataProcessor", "/documents", "/name", "/website"]);
  });

  test("merge the sent fields on PATCH, and keep the rest", async () => {
    const site = await newSite();
    const at = projectAt(site.id);
    const before = await service.fetch(at, { token: site.token });
    const json = { name: "Renamed", configuration: { colors: { main: "#fff" } } };
    const { status, body } = await service.fetch(at, { method: "PATCH", token: site.token, json });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.name, "Renamed");
    assert.equal(body.website, before.body.website);
    assert.deepEqual(body.configuration.colors, { main: "#fff" });
    assert.deepEqual(body.documents, before.body.documents);
    assert.equal(body.configuration.version, 2);
  });

  test("replace on PUT; a project can be sent back as it was read, and its forms stay those of the vault", async () => {
    const site = await newSite();
    const at = projectAt(site.id);
    await service.fetch(at, {
      method: "PATCH",
      token: site.token,
      json: { documents: whole.documents, configuration: whole.configuration },
    });
    const before = await service.fetch(at, { token: site.token });
    const same = await service.fetch(at, { method: "PUT", token: site.token, json: before.body });
    assert.equal(same.status, 200, JSON.stringify(same.body));
    assert.deepEqual(same.body.documents, before.body.documents);
    assert.deepEqual(same.body.processingActivities, before.body.processingActivities);
    assert.deepEqual(same.body.configuration.colors, whole.configuration.colors);
    const bare = { name: "Bare", website: "https://bare.example" };
    const { body } = await service.fetch(at, { method: "PUT", token: site.token, json: bare });
    assert.equal(body.name, "Bare");
    assert.equal(body.dataProcessor, null);
    assert.deepEqual(body.configuration.colors, whole.configuration.colors, "omitted details stay");
    assert.deepEqual(
      body.documents.map((d: { identifier: string }) => d.identifier),
      [site.contract],
    );
    const detail = { ...bare, configuration: { custom: 2 } };
    const replaced = await service.fetch(at, { method: "PUT", token: site.token, json: detail });
    assert.equal(replaced.body.configuration.custom, 2);
    assert.equal(replaced.body.configuration.colors, undefined);
  });

  test("return 412 for a stale If-Match on PUT and PATCH", async () => {
    const site = await newSite();
    const at = projectAt(site.id);
    const { headers } = await service.fetch(at, { token: site.token });
    const match = { "if-match": headers.get("etag") ?? "" };
    const send = (method: string) =>
      service.fetch(at, {
        method,
        token: site.token,
        json: { name: method, website: "https://x.example" },
        headers: match,
      });
    assert.equal((await send("PATCH")).status, 200);
    assert.equal((await send("PATCH")).status, 412);
    assert.equal((await send("PUT")).status, 412);
  });

  test("return 403 without a token or the role, 404 for a foreign project", async () => {
    const [site, other] = await Promise.all([newSite(), newSite()]);
    const at = projectAt(site.id);
    const json = { name: "Mine", website: "https://x.example" };
    const viewer = await share(site, "viewer");
    for (const method of ["PUT", "PATCH"]) {
      assert.equal((await service.fetch(at, { method, json })).status, 403);
      assert.equal((await service.fetch(at, { method, json, token: viewer })).status, 403);
      assert.equal((await service.fetch(at, { method, json, token: other.token })).status, 404);
    }
    assert.equal((await service.fetch(paths.clientProjects, { json })).status, 403);
  });
});

describe("POST /v1/client/{id}/forms", () => {
  const formsAt = (id: string) => hrefOf("", paths.clientForms, { id });

  test("creates consent-collection forms: a cookie, processing or contract configuration", async () => {
    const { token } = await service.newUser();
    const { id } = await service.newProject(token);
    for (const collection of ["cookies", "processings", "contracts"]) {
      const json = {
        collection,
        title: "Form",
        projectId: unknownId,
        message: "<b>Hi</b><script>x</script>",
      };
      const { status, body, headers } = await service.fetch(formsAt(id), { token, json });
      assert.equal(status, 201, JSON.stringify(body));
      assert.equal(body.projectId, id);
      assert.equal(body.collection, undefined);
      assert.equal(body.message, "<b>Hi</b>");
      assert.equal(body.warnings[0].path, "/message");
      assert.equal(headers.get("location"), body.links.self);
      const read = await service.fetch(`/v1/vault/${collection}/${body.id}`, { token });
      assert.equal(read.body.title, "Form");
    }
    const { body } = await service.fetch(projectAt(id), { token });
    assert.equal(body.documents.length, 1);
    assert.equal(body.processingActivities.length, 1);
  });

  test("returns 400 for an unknown collection or invalid fields, 404 for a foreign project, 403 for a viewer", async () => {
    const [site, other] = await Promise.all([newSite(), newSite()]);
    const at = formsAt(site.id);
    const send = (token: string, json: object) => service.fetch(at, { token, json });
    assert.equal((await send(site.token, { collection: "projects" })).status, 400);
    assert.equal((await send(site.token, { collection: "cookies", steps: [{}] })).status, 400);
    const form = { collection: "cookies", title: "x" };
    assert.equal((await send(other.token, form)).status, 404);
    assert.equal((await send(await share(site, "viewer"), form)).status, 403);
    assert.equal((await service.fetch(at, { json: form })).status, 403);
  });
});

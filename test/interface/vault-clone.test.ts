import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { openAnotherService } from "./another-service.ts";
import { create } from "./site.ts";
import { change, newTemplate, newTemplateSite, only, read } from "./template-sites.ts";

const { fetch, newUser, newOwner } = service;
const send = { withConfigurations: true };

/** A project with a document of every resource, whose banner refers to its own vendor and to another banner by id. */
async function newFullSite() {
  const { token, project } = await newOwner();
  const insert = async (resource: string, fields: object) => {
    const json = { projectId: project.id, ...fields };
    const { status, body } = await fetch(`/v1/${resource}`, { token, json });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  const vendor = await insert("vault/vendors", { name: "maps", title: "Maps" });
  const chat = await insert("vault/vendors", { name: "chat", title: "Chat" });
  const vendors = [vendor.id, { _id: chat.id }, "vendor of a catalogue"];
  const steps = [{ name: "all", layout: "category", vendors }];
  const banner = await insert("vault/cookies", { name: "main", isDefault: true, steps });
  await insert("vault/cookies", { name: "short", settings: { variantOf: banner.id } });
  await insert("vault/processings", { name: "news", title: "News" });
  await insert("vault/contracts", { name: "terms" });
  await insert("content/contracts", { name: "long", config: { title: "Long" }, content: "Text" });
  await insert("vault/dpo", { organization: "Shop Ltd" });
  await insert("vault/tcf", { publisherCC: "FR" });
  await insert("vault/media", { title: "Logo" });
  return { token, project, vendor, banner };
}

const clone = (id: string, token: string | undefined, json: object, headers = {}) =>
  fetch(`/v1/vault/projects/${id}/duplicate`, {
    method: "POST",
    json,
    headers,
    ...(token === undefined ? {} : { token }),
  });

async function listOf(resource: string, projectId: string, token: string) {
  return (await fetch(`/v1/${resource}?projectId=${projectId}`, { token })).body;
}

describe("a copy of a project with its configurations", () => {
  it("has a copy of every document, and its references name the copies", async () => {
    const { token, project, vendor, banner } = await newFullSite();
    const given = { ...send, title: "Café", websiteURL: "https://cafe.example" };
    const { status, body: copy } = await clone(project.id, token, given);
    assert.equal(status, 201, JSON.stringify(copy));
    assert.deepEqual([copy.title, copy.websiteURL], ["Café", "https://cafe.example"]);
    const vendors: { id: string; name: string }[] = await listOf("vault/vendors", copy.id, token);
    const [chat, maps] = vendors.toSorted((a, b) => a.name.localeCompare(b.name));
    assert.ok(chat && maps);
    assert.deepEqual([chat.name, maps.name, vendors.length], ["chat", "maps", 2]);
    assert.notEqual(maps.id, vendor.id);
    const banners = await listOf("vault/cookies", copy.id, token);
    const main = banners.find(({ name }: { name: string }) => name === "main");
    const short = banners.find(({ name }: { name: string }) => name === "short");
    assert.deepEqual(main.steps[0].vendors, [maps.id, { _id: chat.id }, "vendor of a catalogue"]);
    assert.equal(main.isDefault, true);
    assert.equal(short.settings.variantOf, main.id);
    assert.notEqual(main.id, banner.id);
    for (const resource of [
      "vault/processings",
      "vault/contracts",
      "content/contracts",
      "vault/dpo",
      "vault/tcf",
      "vault/media",
    ]) {
      const [before] = await listOf(resource, project.id, token);
      const [after, ...others] = await listOf(resource, copy.id, token);
      assert.deepEqual(others, [], resource);
      assert.equal(after.projectId, copy.id);
      assert.deepEqual([after.name, after.title], [before.name, before.title], resource);
    }
  });

  it("has no consents, publications, members, keys or webhooks of the original", async () => {
    const { token, project } = await newFullSite();
    const member = await newUser();
    const users = `/v1/vault/projects/${project.id}/users`;
    await fetch(users, { token, json: { userId: member.id, roles: ["viewer"] } });
    const { body: copy } = await clone(project.id, token, send);
    assert.equal(copy.active, false);
    assert.deepEqual(copy.metadata, {});
    const { body: holders } = await fetch(`/v1/vault/projects/${copy.id}/users`, { token });
    assert.equal(holders.length, 1);
    assert.equal(
      (await fetch(`/v1/vault/projects/${copy.id}`, { token: member.token })).status,
      404,
    );
  });

  it("keeps a copied vendor when the original is deleted", async () => {
    const { token, project, vendor } = await newFullSite();
    const { body: copy } = await clone(project.id, token, send);
    await fetch(`/v1/vault/vendors/${vendor.id}`, { method: "DELETE", token });
    assert.equal((await listOf("vault/vendors", project.id, token)).length, 1);
    assert.equal((await listOf("vault/vendors", copy.id, token)).length, 2);
  });

  it("is created once for an idempotency key, and rejects invalid fields", async () => {
    const { token, project } = await newFullSite();
    const key = { "idempotency-key": randomUUID() };
    const [first, again] = [
      await clone(project.id, token, send, key),
      await clone(project.id, token, send, key),
    ];
    assert.deepEqual(again.body, first.body);
    const invalid = await clone(project.id, token, { ...send, websiteURL: "ftp://x" });
    assert.equal(invalid.status, 400);
  });

  it("needs the right to write, and is not found for others", async () => {
    const { token, project } = await newFullSite();
    const viewer = await newUser();
    const users = `/v1/vault/projects/${project.id}/users`;
    await fetch(users, { token, json: { userId: viewer.id, roles: ["viewer"] } });
    assert.equal((await clone(project.id, viewer.token, send)).status, 403);
    assert.equal((await clone(project.id, (await newUser()).token, send)).status, 404);
    assert.equal((await clone(project.id, undefined, send)).status, 403);
  });

  it("follows the template of the original, with each document once and the same values of its own", async () => {
    const template = await newTemplate();
    const { token } = template;
    const id = await newTemplateSite(template);
    const banner = await only(token, "cookies", id);
    const [welcome, ...others] = banner.steps;
    const steps = [{ ...welcome, message: "<p>Our own</p>" }, ...others];
    await change(token, `cookies/${banner.id}`, { steps });
    await create(token, "processings", { projectId: id, name: "own", title: "The site's own" });
    // The copy gets what the template has changed since, under another name too.
    await change(token, `cookies/${template.cookies}`, { name: "renamed", title: "Newer" });
    const { status, body: copy } = await clone(id, token, send);
    assert.equal(status, 201, JSON.stringify(copy));
    assert.equal(copy.templateId, template.id);
    const copied = await only(token, "cookies", copy.id);
    assert.deepEqual([copied.name, copied.title], ["renamed", "Newer"]);
    assert.equal(copied.steps[0].message, "<p>Our own</p>");
    const forms = await listOf("vault/processings", copy.id, token);
    assert.deepEqual(forms.map(({ name }: { name: string }) => name).toSorted(), ["news", "own"]);
    const inheritance = `/v1/vault/projects/${copy.id}/inheritance`;
    const { documents } = await read(token, inheritance);
    const inherited = documents.find((one: { id: string }) => one.id === copied.id);
    assert.equal(inherited.templateDocumentId, template.cookies);
    assert.deepEqual(inherited.overrides, ["/steps/welcome/message"]);
    const sites = await read(token, `/v1/publish/templates/${template.id}/sites`);
    const behind = sites.map((one: { projectId: string; behind: boolean }) => [
      one.projectId,
      one.behind,
    ]);
    assert.deepEqual(
      new Map(behind),
      new Map([
        [id, true],
        [copy.id, false],
      ]),
    );
  });

  it("is a template without sites, if the original is a template", async () => {
    const template = await newTemplate();
    await newTemplateSite(template);
    const { token } = template;
    const { status, body: copy } = await clone(template.id, token, send);
    assert.equal(status, 201, JSON.stringify(copy));
    assert.equal(copy.isTemplate, true);
    assert.deepEqual(await read(token, `/v1/publish/templates/${copy.id}/sites`), []);
    const banner = await only(token, "cookies", copy.id);
    assert.deepEqual(banner.openFields, ["/steps/welcome/message", "/settings/pages"]);
  });

  it("rejects a project with a layout that the plan does not include", async () => {
    const { token, project } = await newFullSite();
    const PLANS = JSON.stringify({ free: { layouts: ["welcome"] } });
    await using other = await openAnotherService(service.databaseUrl, { PLANS });
    const path = `${other.url}/v1/vault/projects/${project.id}/duplicate`;
    const refused = await fetch(path, { method: "POST", token, json: send });
    assert.equal(refused.status, 422, JSON.stringify(refused.body));
    assert.match(refused.body.detail, /the layout category, which the plan/);
  });

  it("rejects a project beyond the plan, and stores nothing of the copy", async () => {
    const { token, project } = await newFullSite();
    const PLANS = JSON.stringify({ free: { configurationsMax: 2 } });
    await using other = await openAnotherService(service.databaseUrl, { PLANS });
    const path = `${other.url}/v1/vault/projects/${project.id}/duplicate`;
    const refused = await fetch(path, { method: "POST", token, json: send });
    assert.equal(refused.status, 422, JSON.stringify(refused.body));
    const { body } = await fetch("/v1/vault/projects", { token });
    assert.equal(body.length, 1);
  });
});

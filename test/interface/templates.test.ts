import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { create } from "./site.ts";
import { change, newTemplate, newTemplateSite, only, patch, read } from "./template-sites.ts";

const { fetch } = service;

/** The paths of the faults of a response. */
const faultsOf = ({ errors = [] }: { errors?: { path: string }[] }) =>
  errors.map(({ path }) => path);

describe("templates", () => {
  it("gives a new site copies of its configurations and its design", async () => {
    const template = await newTemplate({ colors: { main: "#123456" } });
    const { token } = template;
    const id = await newTemplateSite(template, { DPO: { fullname: "Jo" } });
    const site = await read(token, `/v1/vault/projects/${id}`);
    assert.deepEqual(site.colors, { main: "#123456" });
    assert.equal(site.templateId, template.id);
    assert.equal(site.DPO.fullname, "Jo");
    assert.equal(site.isTemplate, undefined);
    const cookies = await only(token, "cookies", id);
    assert.notEqual(cookies.id, template.cookies);
    assert.equal(cookies.name, "banner");
    assert.equal(cookies.openFields, undefined);
    assert.equal((await only(token, "processings", id)).purpose, "Send news");
    const listed = await read(token, `/v1/vault/projects?templateId=${template.id}`);
    assert.deepEqual(
      listed.map((one: { id: string }) => one.id),
      [id],
    );
  });

  it("rejects each way to change a locked field, and names the field and the template", async () => {
    const template = await newTemplate();
    const { token } = template;
    const id = await newTemplateSite(template);
    const cookies = await only(token, "cookies", id);
    const path = `cookies/${cookies.id}`;
    const patched = await patch(token, path, { title: "Mine" });
    assert.equal(patched.status, 409);
    assert.deepEqual(faultsOf(patched.body), ["/title"]);
    assert.match(patched.body.detail, /^\/title is set by the template “House style”/);
    assert.equal(patched.body.templateId, template.id);
    const [welcome, stats] = cookies.steps;
    const more = { ...stats, vendors: [...stats.vendors, { name: "chat", title: "Chat" }] };
    const added = await patch(token, path, { steps: [welcome, more] });
    assert.equal(added.status, 409);
    assert.deepEqual(faultsOf(added.body), ["/steps/1/vendors/1"]);
    const { settings: _, ...rest } = cookies;
    const put = await fetch(`/v1/vault/${path}`, {
      method: "PUT",
      token,
      json: { ...rest, steps: [welcome] },
    });
    assert.equal(put.status, 409);
    const project = await patch(token, `projects/${id}`, { colors: { main: "#fff" } });
    assert.deepEqual([project.status, faultsOf(project.body)], [409, ["/colors"]]);
    const deleted = await fetch(`/v1/vault/${path}`, { method: "DELETE", token });
    assert.equal(deleted.status, 409);
    assert.match(deleted.body.detail, /comes from the template “House style”/);
    assert.deepEqual(await only(token, "cookies", id), cookies);
  });

  it("rejects a second document where only the newest is published", async () => {
    const template = await newTemplate();
    const { token, organizationId } = template;
    const { id } = await service.newProject(token, { organizationId });
    const documents = { dpo: { organization: "Agency Ltd" }, tcf: { publisherCC: "FR" } };
    for (const [resource, fields] of Object.entries(documents))
      await create(token, resource, { projectId: template.id, ...fields });
    // The newer of two is the published one, so it becomes the template's.
    await create(token, "dpo", { projectId: id, organization: "Older Ltd" });
    const newer = await create(token, "dpo", { projectId: id, organization: "Newer Ltd" });
    await change(token, `projects/${id}`, { templateId: template.id });
    const { documents: inherited } = await read(token, `/v1/vault/projects/${id}/inheritance`);
    assert.ok(inherited.some((one: { id: string }) => one.id === newer));
    for (const [resource, fields] of Object.entries(documents)) {
      const json = { projectId: id, ...fields };
      const second = await fetch(`/v1/vault/${resource}`, { token, json });
      assert.equal(second.status, 409, resource);
      assert.match(second.body.detail, /comes from the template “House style”/);
      assert.equal(second.body.templateId, template.id);
    }
    const tcf = await only(token, "tcf", id);
    const copied = await fetch(`/v1/vault/tcf/${tcf.id}/duplicate`, { method: "POST", token });
    assert.equal(copied.status, 409);
    await create(token, "processings", { projectId: id, name: "own", title: "The site's own" });
    await change(token, `projects/${id}`, { templateId: null });
    await create(token, "tcf", { projectId: id, publisherCC: "DE" });
  });

  it("rejects to restore a version whose locked fields differ", async () => {
    const template = await newTemplate();
    const { token } = template;
    const { id } = await service.newProject(token, { organizationId: template.organizationId });
    const own = await create(token, "cookies", { projectId: id, name: "banner", language: "en" });
    await change(token, `projects/${id}`, { templateId: template.id });
    const adopted = await only(token, "cookies", id);
    assert.equal(adopted.id, own, "the banner of the same name keeps its id");
    assert.equal(adopted.steps.length, 2);
    const path = `/v1/vault/cookies/${own}/versions/1/restore`;
    const restored = await fetch(path, { method: "POST", token });
    assert.equal(restored.status, 409);
    assert.deepEqual(faultsOf(restored.body), ["/steps"]);
    const project = await fetch(`/v1/vault/projects/${id}/versions/1/restore`, {
      method: "POST",
      token,
    });
    assert.equal(project.status, 200, "a restored project keeps its template");
    assert.equal(project.body.templateId, template.id);
  });

  it("keeps a site's values of open fields, and gives them back on request", async () => {
    const template = await newTemplate();
    const { token } = template;
    const id = await newTemplateSite(template);
    const cookies = await only(token, "cookies", id);
    const [welcome, ...others] = cookies.steps;
    const steps = [{ ...welcome, message: "<p>Ours</p>" }, ...others];
    await change(token, `cookies/${cookies.id}`, { steps, settings: { pages: ["/shop*"] } });
    const path = `/v1/vault/projects/${id}/inheritance`;
    const { template: followed, documents } = await read(token, path);
    assert.deepEqual(followed, { id: template.id, title: "House style" });
    const found = documents.find((one: { id: string }) => one.id === cookies.id);
    assert.equal(found.templateDocumentId, template.cookies);
    assert.deepEqual(found.overrides.toSorted(), ["/settings/pages", "/steps/welcome/message"]);
    assert.deepEqual(found.openFields.toSorted(), found.overrides.toSorted());
    const reset = (json: object) =>
      fetch(`${path}/${cookies.id}/reset`, { method: "POST", token, json });
    const one = await reset({ fields: ["/settings/pages"] });
    assert.equal(one.status, 200, JSON.stringify(one.body));
    assert.equal(one.body.settings, undefined);
    assert.equal(one.body.steps[0].message, "<p>Ours</p>");
    const unknown = await reset({ fields: ["/settings/pages"] });
    assert.deepEqual([unknown.status, faultsOf(unknown.body)], [422, ["/settings/pages"]]);
    assert.equal((await reset({})).body.steps[0].message, "<p>Cookies?</p>");
    const after = await read(token, path);
    assert.ok(after.documents.every(({ overrides }: { overrides: [] }) => overrides.length === 0));
  });

  it("compares and gives back a reference to another document as the site's own", async () => {
    const template = await newTemplate();
    const { token } = template;
    await create(token, "cookies", {
      projectId: template.id,
      name: "short",
      settings: { variantOf: template.cookies },
      openFields: ["/settings/variantOf"],
    });
    const id = await newTemplateSite(template);
    const banners = await read(token, `/v1/vault/cookies?projectId=${id}&sort=name`);
    const [banner, short] = banners;
    assert.deepEqual([banner.name, short.name], ["banner", "short"]);
    assert.equal(short.settings.variantOf, banner.id);
    const own = await create(token, "cookies", { projectId: id, name: "own" });
    const set = (variantOf: string) =>
      change(token, `cookies/${short.id}`, { settings: { variantOf } });
    const readOverrides = async () => {
      const { documents } = await read(token, `/v1/vault/projects/${id}/inheritance`);
      return documents.find((one: { id: string }) => one.id === short.id).overrides;
    };
    await set(own);
    assert.deepEqual(await readOverrides(), ["/settings/variantOf"]);
    await set(banner.id);
    assert.deepEqual(await readOverrides(), []);
    await set(own);
    const path = `/v1/vault/projects/${id}/inheritance/${short.id}/reset`;
    const { status, body } = await fetch(path, { method: "POST", token });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.settings.variantOf, banner.id);
    assert.deepEqual(await readOverrides(), []);
  });

  it("is left by a site with its documents, which become the site's own", async () => {
    const template = await newTemplate();
    const { token } = template;
    const id = await newTemplateSite(template);
    const cookies = await only(token, "cookies", id);
    const left = await change(token, `projects/${id}`, { templateId: null });
    assert.equal(left.templateId, undefined);
    await change(token, `cookies/${cookies.id}`, { title: "Mine" });
    const none = await fetch(`/v1/vault/projects/${id}/inheritance`, { token });
    assert.equal(none.status, 404);
    const path = `/v1/vault/cookies/${cookies.id}`;
    assert.equal((await fetch(path, { method: "DELETE", token })).status, 204);
  });

  it("is left by a site that moves to another organization", async () => {
    const template = await newTemplate();
    const { token } = template;
    const id = await newTemplateSite(template);
    const organizationId = await create(token, "organizations", { name: "Client" });
    const moved = await change(token, `projects/${id}`, { organizationId });
    assert.equal(moved.templateId, undefined);
    await change(token, `cookies/${(await only(token, "cookies", id)).id}`, { title: "Mine" });
  });

  it("cannot be published, and not be deleted or moved while sites follow it", async () => {
    const template = await newTemplate();
    const { token, id } = template;
    const site = await newTemplateSite(template);
    const published = await fetch(`/v1/publish/jobs/${id}`, { method: "POST", token });
    assert.equal(published.status, 422);
    assert.match(published.body.detail, /is a template/);
    const path = `/v1/vault/projects/${id}`;
    const deleted = await fetch(path, { method: "DELETE", token });
    assert.equal(deleted.status, 409);
    assert.equal((await patch(token, `projects/${id}`, { isTemplate: false })).status, 409);
    assert.equal((await patch(token, `projects/${id}`, { organizationId: null })).status, 409);
    const put = {
      organizationId: template.organizationId,
      title: "T",
      websiteURL: "https://t.example",
    };
    const replaced = await fetch(path, { method: "PUT", token, json: put });
    assert.equal(replaced.body.isTemplate, true, "kept where it is left out");
    await change(token, `projects/${site}`, { templateId: null });
    await change(token, `projects/${id}`, { isTemplate: false });
    assert.equal((await fetch(path, { method: "DELETE", token })).status, 204);
  });

  it("is followed only inside of its organization, and set only by an owner", async () => {
    const template = await newTemplate();
    const { token, organizationId } = template;
    const other = await newTemplate();
    const follow = (templateId: string) =>
      fetch("/v1/vault/projects", {
        token,
        json: { title: "S", websiteURL: "https://s.example", organizationId, templateId },
      });
    for (const id of [other.id, "0".repeat(24), template.organizationId]) {
      const { status, body } = await follow(id);
      assert.deepEqual([status, faultsOf(body)], [422, ["/templateId"]]);
    }
    const alone = await service.newProject(token);
    const lone = await patch(token, `projects/${alone.id}`, { isTemplate: true });
    assert.deepEqual([lone.status, faultsOf(lone.body)], [422, ["/isTemplate"]]);
    const nested = await patch(token, `projects/${template.id}`, { templateId: template.id });
    assert.equal(nested.status, 422);
    const { id } = await service.newProject(token, { organizationId });
    const editor = await service.newUser();
    const json = { userId: editor.id, roles: ["editor"] };
    for (const one of [id, template.id])
      assert.equal((await fetch(`/v1/vault/projects/${one}/users`, { token, json })).status, 200);
    const asked = await patch(editor.token, `projects/${id}`, { templateId: template.id });
    assert.equal(asked.status, 403);
  });

  it("records in the audit trail that a site follows or leaves it", async () => {
    const template = await newTemplate();
    const { token } = template;
    const id = await newTemplateSite(template);
    await change(token, `projects/${id}`, { templateId: null });
    const { items } = await read(token, `/v1/vault/audit?projectId=${id}`);
    const events = items.map(({ event }: { event: string }) => event);
    assert.ok(events.includes("template.followed") && events.includes("template.left"), events);
  });
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { listForms } from "../../packages/server/modules/client/store.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { newSite, publishAsIs as publish, share } from "./site.ts";

const projectAt = (id: string) => hrefOf("", paths.clientProject, { id });

describe("a project as the Client API shows it", () => {
  test("shows an auditor, who reads proofs only, what identifies it, and working links", async () => {
    const site = await newSite();
    const detail = {
      DPO: { title: "DPO", email: "dpo@shop.example" },
      colors: { main: "#123456" },
    };
    const at = `/v1/vault/projects/${site.id}`;
    await service.fetch(at, { method: "PATCH", token: site.token, json: detail });
    await publish(site);
    const auditor = await share(site, "auditor");
    const one = await service.fetch(projectAt(site.id), { token: auditor });
    const list = await service.fetch(paths.clientProjects, { token: auditor });
    for (const project of [one.body, list.body[0]]) {
      const { configuration, links } = project;
      const fields = ["_id", "id", "metadata", "name", "title", "websiteURL"];
      assert.deepEqual(Object.keys(configuration).toSorted(), fields);
      assert.equal(configuration.title, "Shop");
      assert.ok(configuration.metadata.lastPublishedAt);
      assert.deepEqual(Object.keys(links).toSorted(), ["accepted", "consents", "self", "tokens"]);
      for (const link of Object.values(links) as string[])
        assert.equal((await service.fetch(link, { token: auditor })).status, 200, link);
    }
  });

  test("shows all of it to a viewer, also one of its organization only", async () => {
    const site = await newSite();
    const viewer = await service.newUser();
    const { token } = site;
    const organization = await service.fetch("/v1/vault/organizations", {
      token,
      json: { name: "Org" },
    });
    const users = `/v1/vault/organizations/${organization.body.id}/users`;
    await service.fetch(users, { token, json: { userId: viewer.id, roles: ["viewer"] } });
    const json = { organizationId: organization.body.id, colors: { main: "#123456" } };
    await service.fetch(`/v1/vault/projects/${site.id}`, { method: "PATCH", token, json });
    const { body } = await service.fetch(projectAt(site.id), { token: viewer.token });
    assert.deepEqual(body.configuration.colors, json.colors);
    for (const link of Object.values(body.links) as string[])
      assert.equal((await service.fetch(link, { token: viewer.token })).status, 200, link);
  });

  test("has a working `links.publish` before and after the first publication", async () => {
    const site = await newSite();
    const follow = async () => {
      const { body } = await service.fetch(projectAt(site.id), { token: site.token });
      return service.fetch(body.links.publish, { token: site.token });
    };
    const before = await follow();
    assert.deepEqual([before.status, before.body], [200, []]);
    await publish(site);
    const after = await follow();
    assert.deepEqual([after.status, after.body.status], [200, "Done"]);
  });

  test("reads only the forms that it shows, and a bounded number of them", async () => {
    const site = await newSite();
    const forms = await listForms(service.db, [site.id], 10);
    assert.deepEqual(
      forms.map(({ id }) => id).toSorted(),
      [site.processing, site.contract].toSorted(),
    );
    const fields = new Set(forms.flatMap(({ body }) => Object.keys(body)));
    assert.deepEqual(
      [...fields].filter((name) => ["purpose", "projectId"].includes(name)),
      [],
    );
    assert.ok(fields.has("processors") && fields.has("file"));
    assert.equal((await listForms(service.db, [site.id], 0)).length, 1);
  });
});

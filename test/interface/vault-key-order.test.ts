import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";

const { fetch } = service;

/** Nested keys whose order is neither alphabetical nor by length. */
const sent = {
  zeta: 1,
  websiteURL: "https://keys.example",
  alpha: { z: 1, aa: { bbb: 2, a: [{ y: 1, x: 2, yy: { q: 0, p: 0 } }] } },
  title: "Keys",
  b: null,
  colors: { main: "#fff", alt: "#000" },
};
const names = Object.keys(sent);

/** The text of a document's own fields, in the order of the response. */
const textOf = (body: object, own: readonly string[] = names): string =>
  JSON.stringify(Object.fromEntries(Object.entries(body).filter(([name]) => own.includes(name))));

describe("wire section 9: a document is returned with its keys in the order in which they were sent", () => {
  it("on every read and write, in lists, versions, restored versions and copies", async () => {
    const { token } = await service.newUser();
    const text = JSON.stringify(sent);
    const made = await fetch("/v1/vault/projects", { token, json: sent });
    assert.equal(textOf(made.body), text);
    const at = `/v1/vault/projects/${made.body.id}`;
    assert.equal(textOf((await fetch(at, { token })).body), text);
    const filter = "title=Keys&data.alpha.aa.bbb=2&sort=title";
    const [listed] = (await fetch(`/v1/vault/projects?${filter}`, { token })).body;
    assert.equal(textOf(listed), text);
    const patch = { colors: { alt: "#111", more: 1 }, last: true };
    const patched = await fetch(at, { method: "PATCH", token, json: patch });
    assert.equal(
      textOf(patched.body, [...names, "last"]),
      JSON.stringify({ ...sent, colors: { main: "#fff", alt: "#111", more: 1 }, last: true }),
    );
    const turned = Object.fromEntries(Object.entries(sent).toReversed());
    const put = await fetch(at, { method: "PUT", token, json: turned });
    assert.equal(textOf(put.body), JSON.stringify(turned));
    const { body: version } = await fetch(`${at}/versions/1`, { token });
    assert.equal(JSON.stringify(version.document), text);
    assert.deepEqual((await fetch(`${at}/versions/1/diff/3`, { token })).body, []);
    const restored = await fetch(`${at}/versions/1/restore`, { method: "POST", token });
    assert.equal(textOf(restored.body), text);
    const { body: copy } = await fetch(`${at}/duplicate`, { method: "POST", token });
    assert.equal(textOf(copy), text.replace("Keys", "Keys-2"));
    const extended = await fetch(`/v1/vault/projects/extended?projectId=${made.body.id}`, {
      token,
    });
    assert.equal(textOf(extended.body), text);
  });

  it("with a project's title at the place of its `name`, and a configuration's fields in the Client API", async () => {
    const { token } = await service.newUser();
    const json = { name: "Shop", websiteURL: "https://shop.example" };
    const { body } = await fetch("/v1/vault/projects", { token, json });
    const { document } = (await fetch(`/v1/vault/projects/${body.id}/versions/1`, { token })).body;
    assert.equal(JSON.stringify(document), '{"title":"Shop","websiteURL":"https://shop.example"}');
    const processors = [{ website: "https://m.example", role: "sends", name: "Mailer" }];
    const processing = { title: "News", projectId: body.id, processors };
    await fetch("/v1/vault/processings", { token, json: processing });
    const { body: client } = await fetch(`/v1/client/${body.id}`, { token });
    assert.equal(
      JSON.stringify(client.processingActivities[0].dataTransferThirdParties),
      JSON.stringify(processors),
    );
  });
});

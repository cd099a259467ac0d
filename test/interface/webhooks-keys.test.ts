import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { type Site, collect, newSite } from "./site.ts";
import { waitUntil } from "./webhooks.ts";

const { fetch } = service;

async function newKey(site: Site, scopes: string[]): Promise<string> {
  const json = { label: "machine", scopes };
  const { status, body } = await fetch("/v1/auth/tokens", { token: site.token, json });
  assert.equal(status, 201, JSON.stringify(body));
  return body.token;
}

const listEvents = (token: string, query: object) =>
  fetch(hrefOf("", paths.webhookEvents, {}, { ...query }), { token });

describe("API keys without consents:read", () => {
  it("get no consents in the list of events, and may not request them; with consents:read they do", async () => {
    const site = await newSite();
    const without = await newKey(site, ["webhooks:read"]);
    const whole = await newKey(site, ["webhooks:read", "consents:read"]);
    const projectId = site.id;
    const names = ["consent.created", "consent.withdrawn", `consent/${projectId}`];
    for (const events of [...names, `project.updated,${names[0]}`]) {
      const { status, body } = await listEvents(without, { events });
      assert.equal(status, 403);
      assert.match(body.detail, /consents:read/);
      assert.equal((await listEvents(whole, { events })).status, 200);
    }
    const begin = (await listEvents(without, { projectId })).body.links.next;
    await collect(site, "processings", site.processing, { token: "ann", accept: true });
    const at = `/v1/vault/projects/${projectId}`;
    /** Every event that a token reads from there on. */
    const readTypes = async (token: string, next: string): Promise<string[]> => {
      const types: string[] = [];
      for (let href = next; ;) {
        const { status, body } = await fetch(href, { token });
        assert.equal(status, 200);
        types.push(...body.items.map(({ type }: { type: string }) => type));
        if (body.links.next === body.links.self) return types;
        href = body.links.next;
      }
    };
    await waitUntil(
      () => readTypes(whole, begin),
      (types) => types.includes("consent.created"),
    );
    await fetch(at, { method: "PATCH", token: site.token, json: { title: "Another" } });
    await waitUntil(
      () => readTypes(whole, begin),
      (types) => types.includes("project.updated"),
    );
    const types = await readTypes(without, begin);
    assert.ok(types.includes("project.updated"));
    assert.ok(!types.some((type) => type.startsWith("consent")), types.join());
  });

  it("create or redirect no webhook that receives consents; other webhooks they may", async () => {
    const site = await newSite();
    const without = await newKey(site, ["webhooks:read", "webhooks:write"]);
    const whole = await newKey(site, ["webhooks:write", "consents:read"]);
    const url = "https://hooks.example/";
    const make = (token: string, json: object) =>
      fetch(paths.webhooks, { token, json: { url, projectId: site.id, ...json } });
    for (const event of ["consent.created", "consent.withdrawn", `consent/${site.id}`]) {
      const { status, body } = await make(without, { events: ["project.updated", event] });
      assert.equal(status, 403);
      assert.match(body.detail, /consents:read/);
    }
    const others = ["project.updated", "consent.erased"];
    const { status, body: own } = await make(without, { events: others });
    assert.equal(status, 201);
    const patch = (token: string, id: string, json: object) =>
      fetch(hrefOf("", paths.webhook, { id }), { method: "PATCH", token, json });
    assert.equal((await patch(without, own.id, { events: ["consent.created"] })).status, 403);
    assert.equal((await patch(without, own.id, { url: "https://else.example/" })).status, 200);
    const { body: receiving } = await make(whole, { events: ["consent.created"] });
    const elsewhere = { url: "https://else.example/" };
    assert.equal((await patch(without, receiving.id, elsewhere)).status, 403);
    assert.equal((await patch(without, receiving.id, { enabled: false })).status, 200);
    assert.equal((await patch(without, receiving.id, { events: others })).status, 200);
    assert.equal((await patch(whole, own.id, { events: ["consent.created"] })).status, 200);
  });

  it("get no access to a webhook that receives consents: its secret, its headers, a replay; to others they do", async () => {
    const site = await newSite();
    const without = await newKey(site, ["webhooks:read", "webhooks:write"]);
    const whole = await newKey(site, ["webhooks:write", "consents:read"]);
    const since = service.clock.now().toISOString();
    const make = async (events: string[]): Promise<string> => {
      const json = { url: "https://hooks.example/", projectId: site.id, events };
      return (await fetch(paths.webhooks, { token: site.token, json })).body.id;
    };
    const at = {
      receiving: await make(["consent.created"]),
      other: await make(["project.updated"]),
    };
    const headers = { authorization: "Bearer another" };
    const ways = {
      secret: (token: string, id: string) =>
        fetch(hrefOf("", paths.webhookSecret, { id }), { method: "POST", token }),
      headers: (token: string, id: string) =>
        fetch(hrefOf("", paths.webhook, { id }), { method: "PATCH", token, json: { headers } }),
      replay: (token: string, id: string) =>
        fetch(hrefOf("", paths.webhookReplay, { id }), { token, json: { since } }),
    };
    for (const [name, ask] of Object.entries(ways)) {
      const { status, body } = await ask(without, at.receiving);
      assert.equal(status, 403, name);
      assert.match(body.detail, /consents:read/);
      assert.ok((await ask(without, at.other)).status < 300, name);
      assert.ok((await ask(whole, at.receiving)).status < 300, name);
    }
  });
});

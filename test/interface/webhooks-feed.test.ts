import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { Ajv, type AnySchemaObject } from "ajv";
import formatsModule from "ajv-formats";
import specs from "@asyncapi/specs";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { collect, newSite } from "./site.ts";
import { openReceiver } from "../stand-ins/receiver.ts";
import { listDeliveries, newWebhook } from "./webhooks.ts";

const { fetch, newOwner, newUser } = service;

interface ListedEvent {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

/** Reads the list of events from `next` until each of these types has been seen this often. */
async function readEvents(token: string, next: string, types: readonly string[]) {
  const items: ListedEvent[] = [];
  const until = performance.now() + 60_000;
  let href = next;
  const isMissing = (type: string) =>
    items.filter((item) => item.type === type).length < types.filter((one) => one === type).length;
  while (types.some(isMissing)) {
    const { status, body } = await fetch(href, { token });
    assert.equal(status, 200, JSON.stringify(body));
    items.push(...body.items);
    href = body.links.next;
    assert.ok(performance.now() < until, JSON.stringify(items));
  }
  return { items, next: href };
}

describe("the list of events", () => {
  it("returns from a cursor the events of webhooks, with the same ids, and always a next link", async () => {
    const site = await newSite();
    const { token } = site;
    const wanted = ["project.updated", "consent.created"];
    const query = { projectId: site.id, events: wanted.join() };
    const begin = await fetch(hrefOf("", paths.webhookEvents, {}, query), { token });
    assert.deepEqual(begin.body.items, []);
    const json = { title: "Another" };
    await fetch(`/v1/vault/projects/${site.id}`, { method: "PATCH", token, json });
    const sent = await collect(site, "processings", site.processing, {
      token: "ann",
      accept: true,
    });
    const { items, next } = await readEvents(token, begin.body.links.next, wanted);
    const types = items.map(({ type }) => type).toSorted();
    assert.deepEqual(types, ["consent.created", "project.updated"]);
    const consent = items.find(({ type }) => type === "consent.created");
    assert.equal(consent?.data["consentId"], sent.body.consentId);
    assert.equal(consent?.id, `msg_created_${sent.body.consentId}`);
    const later = await fetch(next, { token });
    assert.deepEqual(later.body.items, []);
    // The same cursor returns the same page.
    const again = await readEvents(token, begin.body.links.next, wanted);
    assert.deepEqual(again.items, items);
  });

  it("contains only events that the caller may receive and requested", async () => {
    const { token, project } = await newOwner();
    const stranger = await newUser();
    const start = async (asked: string, query: object) => {
      const href = hrefOf("", paths.webhookEvents, {}, { ...query });
      return (await fetch(href, { token: asked })).body.links.next;
    };
    const theirs = await start(stranger.token, {});
    const mine = await start(token, { events: "project.updated" });
    const rename = () =>
      fetch(`/v1/vault/projects/${project.id}`, { method: "PATCH", token, json: { title: "T" } });
    await rename();
    await fetch("/v1/vault/cookies", {
      token,
      json: { projectId: project.id, title: "C", language: "en" },
    });
    await rename();
    const { items } = await readEvents(token, mine, ["project.updated", "project.updated"]);
    assert.deepEqual(new Set(items.map(({ type }) => type)), new Set(["project.updated"]));
    // Events before a newer one of their own have already been returned.
    const own = await service.newProject(stranger.token);
    const seen = await readEvents(stranger.token, theirs, ["project.created"]);
    assert.deepEqual(
      seen.items.map(({ data }) => data["projectId"]),
      [own.id],
    );
  });

  it("rejects unknown event names, and lists each", async () => {
    const { token } = await newUser();
    const events = "project.created,consent.made,,nonsense";
    const { status, body } = await fetch(hrefOf("", paths.webhookEvents, {}, { events }), {
      token,
    });
    assert.equal(status, 400);
    assert.deepEqual(
      body.errors.map(({ message }: { message: string }) => message),
      ['"consent.made" is no event', '"" is no event', '"nonsense" is no event'],
    );
  });

  it("rejects cursors of other lists", async () => {
    const { token } = await newUser();
    const cursor = Buffer.from('["a","b"]').toString("base64url");
    for (const wrong of ["x", cursor]) {
      const { status } = await fetch(hrefOf("", paths.webhookEvents, {}, { cursor: wrong }), {
        token,
      });
      assert.equal(status, 400);
    }
  });

  it("returns cursors that a webhook can be replayed from", async () => {
    const { token, project } = await newOwner();
    const { body } = await fetch(paths.webhookEvents, { token });
    const cursor = new URL(body.links.next).searchParams.get("cursor");
    const events = ["project.updated"];
    const hook = await newWebhook(token, {
      url: "https://hooks.example/",
      events,
      projectId: project.id,
    });
    const href = hrefOf("", paths.webhookReplay, { id: hook.id });
    assert.equal((await fetch(href, { token, json: { since: cursor } })).status, 202);
  });
});

describe("the AsyncAPI document", async () => {
  const receiver = await openReceiver();
  after(() => receiver[Symbol.asyncDispose]());

  it("is valid AsyncAPI 3, and names every event that can be requested", async () => {
    const { status, body } = await fetch(paths.asyncapi);
    assert.equal(status, 200);
    // The schema brings its own meta-schema.
    const ajv = new Ajv({ strict: false, allErrors: true, meta: false, validateSchema: false });
    formatsModule.default(ajv);
    const validate = ajv.compile({ ...specs.schemas["3.0.0"] } as AnySchemaObject);
    assert.equal(validate(body), true, JSON.stringify(validate.errors?.slice(0, 5)));
    assert.ok(
      !validate({ ...body, channels: { webhook: { messages: 7 } } }),
      "the schema rejects others",
    );
    const { token, project } = await newOwner();
    const names: string[] = Object.values<{ name: string }>(body.components.messages)
      .map(({ name }) => name)
      .filter((name) => !name.includes("{") && name !== "webhook.test");
    assert.ok(names.length >= 15);
    const made = await newWebhook(token, {
      url: "https://hooks.example/",
      events: names,
      projectId: project.id,
    });
    assert.deepEqual(made.events, names);
  });

  it("has the test event, to its schema, and the log of deliveries can be filtered by it", async () => {
    const { token } = await newOwner();
    const hook = await newWebhook(token, { url: receiver.url, events: ["project.created"] });
    const href = hrefOf("", paths.webhookTest, { id: hook.id });
    assert.equal((await fetch(href, { method: "POST", token })).status, 202);
    const { body: document } = await fetch(paths.asyncapi);
    const [one] = await receiver.waitFor(1, ({ body }) => body.data.documentId === hook.id);
    const ajv = new Ajv({ strict: false, allErrors: true });
    formatsModule.default(ajv);
    const validate = ajv.compile(document.components.messages["webhook.test"].payload);
    assert.ok(validate(one?.body), JSON.stringify(validate.errors));
    assert.equal((await listDeliveries(token, hook.id, "?event=webhook.test")).length, 1);
    assert.equal((await listDeliveries(token, hook.id, "?event=project.created")).length, 0);
  });

  it("describes what is sent: each payload matches the schema of its message", async () => {
    const site = await newSite();
    const { token } = site;
    const { body: begin } = await fetch(
      hrefOf("", paths.webhookEvents, {}, { projectId: site.id }),
      { token },
    );
    await collect(site, "processings", site.processing, { token: "ann", accept: true });
    await collect(site, "processings", site.processing, { token: "ann", accept: false });
    await fetch(`/v1/vault/projects/${site.id}`, { method: "PATCH", token, json: { title: "T" } });
    await fetch(`/v1/vault/processings/${site.processing}`, {
      method: "PATCH",
      token,
      json: { title: "T" },
    });
    await collect(site, "contracts", site.contract, { token: "bob", accept: true });
    await fetch(hrefOf("", paths.erasedToken, { projectId: site.id, token: "bob" }), {
      method: "DELETE",
      token,
    });
    const wanted = [
      "consent.withdrawn",
      "project.updated",
      "configuration.updated",
      "consent.erased",
    ];
    const { items } = await readEvents(token, begin.links.next, wanted);
    const { body: document } = await fetch(paths.asyncapi);
    const ajv = new Ajv({ strict: false, allErrors: true });
    formatsModule.default(ajv);
    for (const { id: _id, ...event } of items) {
      const { payload } = document.components.messages[event.type];
      const validate = ajv.compile(payload);
      assert.ok(validate(event), `${event.type}: ${JSON.stringify(validate.errors)}`);
    }
  });
});

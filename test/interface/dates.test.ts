import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { type TestAnswer, service } from "../harness.ts";
import { type Operation, listOperations } from "../hostile/operations.ts";
import type { Schema } from "../hostile/schema.ts";
import { putRecords } from "./records.ts";
import { type Site, create, newSite, publish } from "./site.ts";

/** Older than the records of other tests, and in a month whose partition exists. */
const DAY = "2017-01-31";
const firstMs = Date.parse(`${DAY}T00:00:00.000Z`);
const lastMs = Date.parse(`${DAY}T23:59:59.999Z`);
/** Visitors around the day, by the time of their only record. */
const visitors = {
  before: firstMs - 1,
  first: firstMs,
  noon: Date.parse(`${DAY}T12:00:00Z`),
  last: lastMs,
  after: lastMs + 1,
};
/** Queries for the records of the day. */
const dayQueries = [
  `start=${DAY}&end=${DAY}`,
  `start=${DAY}T00:00:00Z&end=2017-02-01T00:00:00Z`,
  `start=${DAY}+01:00:00%2B01:00&end=2017-02-01 00:00:00%2B00:00`.replaceAll("+", " "),
  // Plus signs that were not escaped arrive as spaces.
  `start=${DAY}+01:00:00+01:00&end=2017-02-01+00:00:00+00:00`,
].map((query) => query.replaceAll(" ", "%20"));

async function newDatedSite(): Promise<Site> {
  const site = await newSite();
  for (const [token, ms] of Object.entries(visitors)) await putRecords(site, [{ token }], ms);
  return site;
}

async function read(site: Site, at: string, headers = {}): Promise<TestAnswer> {
  const answer = await service.fetch(at, { token: site.token, headers });
  assert.equal(answer.status, 200, `${at}: ${JSON.stringify(answer.body)}`);
  return answer;
}

const tokensOf = (records: { token: string }[]): string[] => records.map(({ token }) => token);
const ofDay = ["first", "noon", "last"];

describe("a date in UTC", () => {
  it("selects the records of one day as start and end of the registry and of exports", async () => {
    const site = await newDatedSite();
    const projectId = site.id;
    for (const query of dayQueries) {
      const list = `${hrefOf("", paths.consents, { projectId })}?sort=createdAt&${query}`;
      assert.deepEqual(tokensOf((await read(site, list)).body), ofDay, query);
      const file = hrefOf("", paths.export, { projectId, format: "csv" });
      const { body } = await read(site, `${file}?${query}`);
      const rows = String(body).split("\r\n").slice(1, -1);
      assert.deepEqual(
        rows.map((row) => row.split(";")[0]),
        ofDay,
        query,
      );
    }
  });

  it("is in the manifest of an export as its bounds, and the link to its rest keeps them", async () => {
    const site = await newDatedSite();
    const at = hrefOf("", paths.export, { projectId: site.id, format: "csv" });
    const { headers } = await read(site, `${at}?start=${DAY}&end=${DAY}`);
    const [, link = ""] = /<([^>]+)>/.exec(headers.get("link") ?? "") ?? [];
    const { body: manifest } = await read(site, link);
    assert.equal(manifest.from, "2017-01-31T00:00:00.000Z");
    assert.equal(manifest.to, "2017-02-01T00:00:00.000Z");
    assert.equal(manifest.heldBack, undefined);
    assert.deepEqual(manifest.filters, { start: DAY, end: DAY });
  });

  it("selects the consents of one day for an audit package, whose end must not be before its start", async () => {
    const site = await newDatedSite();
    const at = hrefOf("", paths.dossier, { projectId: site.id });
    const { headers } = await read(site, `${at}?start=${DAY}&end=${DAY}`);
    assert.match(headers.get("content-type") ?? "", /zip/);
    const reversed = await service.fetch(`${at}?start=2017-02-01&end=${DAY}`, {
      token: site.token,
    });
    assert.deepEqual([reversed.status, reversed.body.errors[0].path], [400, "?end"]);
  });

  it("is its first instant as `at` and `since`", async () => {
    const site = await newDatedSite();
    const tokenAt = (token: string) => hrefOf("", paths.clientConsents, { id: site.id, token });
    const historyOf = async (token: string) =>
      (await read(site, `${tokenAt(token)}?at=${DAY}`)).body.history.length;
    assert.deepEqual(await Promise.all(["before", "first", "noon"].map(historyOf)), [1, 1, 0]);
    const { body } = await read(site, `${tokenAt("first")}?at=${DAY}`);
    assert.match(body.links.self, new RegExp(`at=${DAY}`));

    await publish(site);
    const accepted = hrefOf("", paths.clientAcceptedItem, {
      id: site.id,
      identifier: site.cookies,
    });
    const today = new Date().toISOString().slice(0, 10);
    assert.ok(Array.isArray((await read(site, `${accepted}?since=${today}`)).body.items));
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    for (const name of ["at", "since"]) {
      const future = await service.fetch(`${accepted}?${name}=${tomorrow}`, { token: site.token });
      assert.equal(future.status, 400, name);
      assert.match(future.body.detail, /future/, name);
    }
  });

  it("is its first instant where webhooks replay events", async () => {
    const { token, id: projectId } = await newSite();
    const json = {
      url: "http://127.0.0.1:9/",
      events: ["consent.created"],
      projectId,
    };
    const { body: hook } = await service.fetch("/v1/webhooks", { token, json });
    const replay = (since: string) =>
      service.fetch(hrefOf("", paths.webhookReplay, { id: hook.id }), { token, json: { since } });
    assert.equal((await replay(new Date().toISOString().slice(0, 10))).status, 202);
    for (const wrong of ["2026-02-30", "2999-01-01", "yesterday"])
      assert.equal((await replay(wrong)).status, 400, wrong);
  });

  it("includes its day in the audit trail and in statistics", async () => {
    const site = await newSite();
    const today = new Date().toISOString().slice(0, 10);
    const trail = (from: string, to: string) =>
      read(site, `${paths.audit}?projectId=${site.id}&from=${from}&to=${to}`);
    assert.ok((await trail(today, today)).body.items.length > 0);
    assert.equal((await trail(DAY, DAY)).body.items.length, 0);
    const stats = hrefOf("", paths.stats, { projectId: site.id });
    const zoned = await read(site, `${stats}?from=${DAY}&to=${DAY}&tz=Europe/Paris`);
    assert.deepEqual(zoned.body.starts, ["2017-01-30T23:00:00.000Z"]);
    const timed = await read(site, `${stats}?from=${DAY}+00:00:00+01:00&to=2017-02-01&by=day`);
    assert.deepEqual(
      timed.body.starts.map((start: string) => start.slice(0, 10)),
      ["2017-01-30", DAY, "2017-02-01"],
    );
  });

  it("filters lists of the vault by all of its day", async () => {
    const { token } = await service.newUser();
    const { id: projectId } = await service.newProject(token);
    const id = await create(token, "media", { projectId, title: "a", on: `${DAY}T12:00:00.000Z` });
    const today = new Date().toISOString().slice(0, 10);
    const find = async (query: string) => {
      const { status, body } = await service.fetch(`/v1/vault/media?${query}`, { token });
      assert.equal(status, 200, JSON.stringify(body));
      return body.map((one: { id: string }) => one.id);
    };
    for (const field of [`createdAt=${today}`, `createdAt[gte]=${today}&createdAt[lte]=${today}`])
      assert.deepEqual(await find(field), [id], field);
    for (const field of [`createdAt[gt]=${today}`, `createdAt[lt]=${today}`, `createdAt=${DAY}`])
      assert.deepEqual(await find(field), [], field);
    assert.deepEqual(await find(`data.on[gte]=${DAY}&data.on[lte]=${DAY}`), [id]);
    assert.deepEqual(await find(`data.on[gt]=${DAY}`), []);
    const { status, body } = await service.fetch("/v1/vault/media?createdAt[gt]=2026-02-30", {
      token,
    });
    assert.deepEqual([status, body.errors[0].path], [400, "?createdAt[gt]"]);
  });

  it("is its last instant as the expiry of a key, and its first as the time of a publication", async () => {
    const site = await newSite();
    const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    const { token } = site;
    const key = await service.fetch("/v1/auth/tokens", {
      token,
      json: { label: "nightly", scopes: ["vault:read"], expiresAt: day },
    });
    assert.equal(key.body.expiresAt, `${day}T23:59:59.999Z`, JSON.stringify(key.body));
    const at = hrefOf("", paths.publishJob, { id: site.id });
    const job = await service.fetch(at, { token, json: { publishAt: day } });
    assert.equal(job.body.publishAt, `${day}T00:00:00.000Z`, JSON.stringify(job.body));
  });
});

describe("instants in requests", () => {
  it("have one schema in the OpenAPI document", async () => {
    const operations = await listOperations();
    const dated = operations.flatMap(listInstants);
    assert.deepEqual(
      dated.filter(({ schema }) => schema.format === "date-time").map(({ at }) => at),
      [],
    );
    const texts = new Set(dated.map(({ schema: { format, pattern } }) => `${format} ${pattern}`));
    assert.equal(texts.size, 1);
    assert.ok(dated.length >= 16, `only ${dated.length} are declared`);
  });

  it("name the field of a date that the calendar does not have", async () => {
    const { token } = await service.newUser();
    const { status, body } = await service.fetch("/v1/auth/tokens", {
      token,
      json: { label: "nightly", scopes: ["vault:read"], expiresAt: "2027-02-29" },
    });
    assert.equal(status, 400);
    assert.equal(body.errors[0].path, "/expiresAt");
    assert.match(body.errors[0].message, /must be a date such as 2026-01-31, or a date and time/);
  });
});

interface Dated {
  at: string;
  schema: Schema;
}

/** The parameters and body fields of an operation that are instants. */
function listInstants({ method, path, parameters, body }: Operation): Dated[] {
  const found: Dated[] = [];
  const visit = (schema: Schema, at: string): void => {
    if (schema.format === "date-time" || schema.format === "instant") found.push({ at, schema });
    for (const [name, one] of Object.entries(schema.properties ?? {})) visit(one, `${at}/${name}`);
    for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) visit(one, at);
    if (schema.items) visit(schema.items, `${at}[]`);
  };
  for (const { name, schema } of parameters) visit(schema, `${method} ${path}?${name}`);
  if (body) visit(body, `${method} ${path} `);
  return found;
}

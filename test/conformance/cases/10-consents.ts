import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type Answer, type Json, assertProblem, assertStatus, toList, toText } from "../client.ts";
import { behaviour, section } from "../behaviour.ts";
import { toProcessing, vendor } from "../documents.ts";
import { create, createCompleteProject, openSite, publishDone } from "../site.ts";
import { once, openOwner, runId, visitor } from "../target.ts";

const BATCH_MAX = 500;
const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function newToken(): string {
  return `visitor-${runId}-${randomUUID()}`;
}

async function collect(collection: string, identifier: string, body: object): Promise<Answer> {
  const { projectId } = await openSite();
  return visitor.post(`/v1/app/consents/${projectId}/${collection}/${identifier}`, body);
}

/** A project of its own with five consents of five tokens, the second and the fourth refused. */
const openRegistry = once(async () => {
  const projectId = toText((await createCompleteProject())["_id"]);
  const processing = toText((await create("processings", toProcessing(projectId)))["_id"]);
  await publishDone(projectId);
  const tokens: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const token = `visitor-${runId}-registry-${n}`;
    const path = `/v1/app/consents/${projectId}/processings/${processing}`;
    assertStatus(await visitor.post(path, { accept: n % 2 === 0, token }), 201);
    tokens.push(token);
  }
  return { path: `/v1/app/consents/${projectId}`, processing, tokens };
});

async function readRegistry(query: Record<string, string>, accept = "application/json") {
  const { client } = await openOwner();
  const { path } = await openRegistry();
  return assertStatus(await client.get(path, { query, headers: { accept } }), 200);
}

function listTokens(list: readonly Json[]): unknown[] {
  return list.map(({ token }) => token);
}

section("Consents and registry", { isConcurrent: true }, () => {
  behaviour("answers 201 with the record of a consent", "wire 4", async () => {
    const { processing, projectId } = await openSite();
    const token = newToken();
    const body = { accept: true, token, value: "news", language: "en", url: "https://a.example/" };
    const { json } = assertStatus(await collect("processings", processing, body), 201);
    assert.match(toText(json["consentId"]), uuid7);
    assert.equal(json["_id"], json["consentId"]);
    const sent = { projectId, collection: "processings", identifier: processing };
    for (const [name, value] of Object.entries({ ...sent, token, accept: true, value: "news" }))
      assert.equal(json[name], value, name);
    assert.match(toText(json["createdAt"]), /\.\d{3}Z$/);
    assert.ok(Number(json["version"]) >= 1, "version");
    assert.equal(typeof json["receipt"]?.["links"], "object", "receipt.links");
    assert.equal(typeof json["headers"]?.["userAgent"], "string", "headers.userAgent");
    assert.equal(typeof json["links"], "object", "links");
  });

  behaviour("makes a token if none is sent", "wire 4", async () => {
    const { processing } = await openSite();
    const [first, second] = [
      assertStatus(await collect("processings", processing, { accept: true }), 201),
      assertStatus(await collect("processings", processing, { accept: true }), 201),
    ].map(({ json }) => toText(json["token"]));
    assert.notEqual(first, second);
  });

  behaviour("keeps the preferences of a cookie banner", "wire 4", async () => {
    const { banner } = await openSite();
    const preferences = {
      vendors: { [vendor.name]: true },
      config: { identifier: banner, name: "cookies", language: "en" },
      googleConsentMode: { analytics_storage: "granted", ad_storage: "denied" },
    };
    const answer = await collect("cookies", banner, { accept: true, preferences });
    const kept = assertStatus(answer, 201).json["preferences"];
    assert.deepEqual(kept?.["vendors"], preferences.vendors);
    assert.deepEqual(kept?.["config"], preferences.config);
    assert.deepEqual(kept?.["googleConsentMode"], preferences.googleConsentMode);
  });

  behaviour("keeps unknown vendors, with a warning", "wire 4", async () => {
    const { banner } = await openSite();
    const preferences = { vendors: { [vendor.name]: false, no_such_vendor: true } };
    const { json } = assertStatus(
      await collect("cookies", banner, { accept: true, preferences }),
      201,
    );
    assert.equal(json["preferences"]?.["vendors"]?.["no_such_vendor"], true);
    assert.match(JSON.stringify(json["warnings"] ?? []), /no_such_vendor/);
  });

  behaviour("flags a clock far in the future, and keeps its own beside it", "wire 4", async () => {
    const { processing } = await openSite();
    const timestamp = "2199-01-01T00:00:00.000Z";
    const answer = await collect("processings", processing, { accept: true, timestamp });
    const { json, text } = assertStatus(answer, 201);
    assert.ok(Math.abs(Date.parse(toText(json["createdAt"])) - Date.now()) < 600_000, "createdAt");
    assert.match(text, /2199-01-01/);
    assert.match(JSON.stringify(json["warnings"] ?? []), /timestamp/i);
  });

  behaviour(
    "rejects a consent that is malformed or for an unknown configuration",
    "wire 4",
    async () => {
      const { processing, banner } = await openSite();
      assertProblem(await collect("processings", "0".repeat(24), { accept: true }), 404);
      assertProblem(await collect("processings", banner, { accept: true }), 404);
      assertProblem(await collect("vendors", processing, { accept: true }), 400, 404);
      assertProblem(await collect("processings", processing, { accept: "yes" }), 400);
      assertProblem(await collect("processings", processing, {}), 400);
      const unknown = `/v1/app/consents/${"0".repeat(24)}/processings/${processing}`;
      assertProblem(await visitor.post(unknown, { accept: true }), 404);
    },
  );

  behaviour("stores one consent for a repeated Idempotency-Key", "wire 0", async () => {
    const { projectId, processing } = await openSite();
    const path = `/v1/app/consents/${projectId}/processings/${processing}`;
    const headers = { "idempotency-key": randomUUID() };
    const body = { accept: true, token: newToken() };
    const answers = await Promise.all([1, 2].map(() => visitor.post(path, body, { headers })));
    const later = await visitor.post(path, body, { headers });
    const ids = [...answers, later].flatMap(({ json }) => json["consentId"] ?? []);
    assert.equal(new Set(ids).size, 1, "one consent");
    assertStatus(later, 201);
    const other = { ...body, accept: false };
    assertProblem(await visitor.post(path, other, { headers }), 422);
  });

  behaviour("takes a batch, with one result for each consent", "wire 4", async () => {
    const { projectId, processing, contract } = await openSite();
    const token = newToken();
    const batch = [
      { id: "a", collection: "processings", identifier: processing, accept: true, token },
      { id: "b", collection: "contracts", identifier: contract, accept: true, token },
      { id: "c", collection: "processings", identifier: "0".repeat(24), accept: true, token },
    ];
    const answer = assertStatus(await visitor.post(`/v1/app/consents/${projectId}`, batch), 200);
    const results = toList(answer.json);
    assert.equal(results.length, 3);
    assert.match(JSON.stringify(results[0]), new RegExp(processing));
    assert.match(JSON.stringify(results[1]), new RegExp(contract));
    assert.match(JSON.stringify(results[2]), /"status":404/);
    const tooMany = Array.from({ length: BATCH_MAX + 1 }, (_, n) => ({
      ...batch[0],
      id: String(n),
    }));
    const path = `/v1/app/consents/${projectId}`;
    assertProblem(await visitor.post(path, tooMany), 400, 413);
  });

  behaviour("answers the latest record of a token, or accept false", "wire 4", async () => {
    const { projectId, processing } = await openSite();
    const token = newToken();
    const path = `/v1/app/consent/${projectId}`;
    const query = { token, service: "processings", identifier: processing };
    assert.deepEqual(assertStatus(await visitor.get(path, { query }), 200).json, { accept: false });
    assertStatus(await collect("processings", processing, { accept: true, token }), 201);
    const second = await collect("processings", processing, { accept: false, token });
    const latest = assertStatus(await visitor.get(path, { query }), 200).json;
    assert.equal(latest["accept"], false);
    assert.equal(latest["consentId"] ?? latest["_id"], second.json["consentId"]);
  });

  behaviour(
    "lists records as a bare array, newest first, with page headers",
    "wire 4",
    async () => {
      const { tokens } = await openRegistry();
      const answer = await readRegistry({});
      assert.ok(Array.isArray(answer.json), "a bare array");
      assert.deepEqual(listTokens(toList(answer.json)), tokens.toReversed());
      assert.equal(answer.headers.get("x-total-count"), "5");
      assert.equal(answer.headers.get("x-page"), "1");
      assert.equal(answer.headers.get("x-per-page"), "100");
      assert.equal(answer.headers.get("x-last-page"), "1");
      for (const record of toList(answer.json))
        for (const name of [
          "consentId",
          "token",
          "collection",
          "identifier",
          "accept",
          "createdAt",
        ])
          assert.ok(record[name] !== undefined, name);
    },
  );

  behaviour("pages the registry by number and by Link", "wire 0, 4", async () => {
    const { client } = await openOwner();
    const { tokens } = await openRegistry();
    const found: unknown[] = [];
    let answer = await readRegistry({ perPage: "2", page: "1" });
    assert.equal(answer.headers.get("x-last-page"), "3");
    for (;;) {
      found.push(...listTokens(toList(answer.json)));
      const next = /<([^>]+)>; *rel="?next/.exec(answer.headers.get("link") ?? "")?.[1];
      if (next === undefined) break;
      answer = assertStatus(await client.get(next), 200);
    }
    assert.deepEqual(found, tokens.toReversed());
  });

  behaviour("pages the registry by cursor", "wire 0, 4", async () => {
    const { client } = await openOwner();
    const { tokens } = await openRegistry();
    const found: unknown[] = [];
    let answer = await readRegistry({ limit: "2", cursor: "" });
    for (let n = 0; n < tokens.length; n += 1) {
      found.push(...listTokens(toList(answer.json)));
      const linked: unknown = answer.json["links"]?.["next"];
      const next =
        linked ?? /<([^>]*cursor=[^>]+)>; *rel="?next/.exec(answer.headers.get("link") ?? "")?.[1];
      if (typeof next !== "string") break;
      answer = assertStatus(await client.get(next), 200);
    }
    assert.deepEqual(found, tokens.toReversed());
  });

  behaviour("filters records by token, answer and configuration, and sorts", "wire 4", async () => {
    const { tokens, processing } = await openRegistry();
    const expectTokens = async (query: Record<string, string>, expected: unknown[]) =>
      assert.deepEqual(listTokens(toList((await readRegistry(query)).json)), expected);
    await expectTokens({ token: tokens[1] ?? "" }, [tokens[1]]);
    await expectTokens({ accept: "false" }, [tokens[3], tokens[1]]);
    await expectTokens({ collection: "cookies" }, []);
    await expectTokens({ identifier: processing, perPage: "1" }, [tokens[4]]);
    await expectTokens({ sort: "createdAt" }, tokens);
  });

  behaviour("takes instants and plain dates as start and end", "wire 9: Dates", async () => {
    const { tokens } = await openRegistry();
    const [newest] = toList((await readRegistry({})).json);
    const today = toText(newest?.["createdAt"]).slice(0, 10);
    const next = new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10);
    const count = async (query: Record<string, string>) =>
      toList((await readRegistry(query)).json).length;
    assert.equal(await count({ start: today, end: today }), tokens.length, "one day");
    assert.equal(await count({ start: next, end: next }), 0, "the next day");
    assert.equal(await count({ start: `${today}T00:00:00.000Z` }), tokens.length, "an instant");
    assert.equal(await count({ start: `${today} 00:00:00+00:00` }), tokens.length, "with a space");
    assert.equal(await count({ end: `${today} 00:00:00+00:00` }), 0, "before the day");
    const { client } = await openOwner();
    const { path } = await openRegistry();
    assertProblem(await client.get(path, { query: { start: "yesterday" } }), 400);
  });

  behaviour("streams the registry as NDJSON and CSV", "wire 0", async () => {
    const { tokens } = await openRegistry();
    const lines = await readRegistry({}, "application/x-ndjson");
    assert.match(lines.headers.get("content-type") ?? "", /^application\/x-ndjson/);
    const records = lines.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Json);
    assert.deepEqual(
      records.flatMap(({ token }) => token ?? []),
      tokens.toReversed(),
    );
    const csv = await readRegistry({}, "text/csv");
    assert.match(csv.headers.get("content-type") ?? "", /^text\/csv/);
    for (const token of tokens) assert.ok(csv.text.includes(token), token);
  });

  behaviour("erases a person, with a receipt", "wire 4", async () => {
    const { client } = await openOwner();
    const { projectId, processing } = await openSite();
    const token = newToken();
    assertStatus(await collect("processings", processing, { accept: true, token }), 201);
    const path = `/v1/app/tokens/${projectId}/${token}`;
    assertProblem(await visitor.delete(path), 403);
    const answer = assertStatus(await client.delete(path), 200, 202);
    assert.ok(Object.keys(answer.json).length > 0, "a receipt");
    const query = { token, service: "processings", identifier: processing };
    const read = assertStatus(await visitor.get(`/v1/app/consent/${projectId}`, { query }), 200);
    assert.deepEqual(read.json, { accept: false });
    const list = await client.get(`/v1/app/consents/${projectId}`, { query: { token } });
    assert.deepEqual(assertStatus(list, 200).json, []);
  });
});

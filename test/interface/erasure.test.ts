import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { hrefOf, paths } from "@avow/contract/urls";
import { type TestAnswer, service } from "../harness.ts";
import { dumpDatabase, findTables } from "./dump.ts";
import { erase, waitForReceipt } from "./erasures.ts";
import { importFile, toCsv } from "./imports.ts";
import { assertStatesMatchRecords } from "./collector.ts";
import { waitForProof } from "./proofs.ts";
import {
  type Site,
  collect,
  create,
  newSite,
  publish,
  readToken,
  share,
  toCookies,
} from "./site.ts";

const secret = "pseudonym/é 9f3c61";
const accepts = (token: string, more: object = {}) => ({ token, accept: true, ...more });

async function collected(site: Site, json: object, headers = {}): Promise<string> {
  const { status, body } = await collect(site, "cookies", site.cookies, json, headers);
  assert.equal(status, 201, JSON.stringify(body));
  return body.consentId;
}

function listErasures(site: Pick<Site, "id" | "token">, query = {}): Promise<TestAnswer> {
  const href = hrefOf("", paths.erasures, { projectId: site.id }, query);
  return service.fetch(href, { token: site.token });
}

describe("erasing a token", () => {
  it("leaves no byte of it, its answers, its texts and its salt in the whole database", async () => {
    const site = await newSite();
    const vendors = [{ name: "vendor-only-here", title: "Only" }, { name: "other" }];
    const steps = [{ name: "a", layout: "category", vendors }];
    site.cookies = await create(site.token, "cookies", toCookies(site.id, { steps }));
    await publish(site);
    const texts = ["Grandmother Zoë’s maiden name", "https://shop.example/basket/9f3c61"];
    const [value, url] = texts;
    const preferences = { vendors: { "vendor-only-here": true, other: false, unknown9f3c: true } };
    const answered = { value, url, preferences, language: "gsw-CH-9f3c" };
    const key = { "idempotency-key": "a key" };
    const ids = [await collected(site, accepts(secret, answered), key)];
    ids.push(await collected(site, accepts(secret)));
    const others = [await collected(site, accepts("somebody else"))];
    await importFile(site, toCsv(site, [{ token: secret, value: texts[0] }]));
    ids.push((await readToken(site, secret)).body.history.at(-1).consentId);
    await service.fetch(
      hrefOf("", paths.export, { projectId: site.id, format: "csv" }, { token: secret }),
      { token: site.token },
    );
    const proofs = await Promise.all(ids.map((id) => waitForProof(id, secret)));
    const salts = proofs.map(({ consent }) => Buffer.from(consent.salt, "base64"));
    const { rows } = await sql<{ digest: string; items: string }>`
      SELECT digest, items::text FROM choices
      WHERE project_id = ${site.id} AND items -> 'other' ->> 'answer' = 'refused'`.execute(
      service.data,
    );
    assert.ok(rows.length > 0, "one person's answers have a combination of their own");
    const sought = [
      secret,
      ...texts,
      "unknown9f3c",
      "gsw-CH-9f3c",
      ...rows.flatMap(({ digest, items }) => [digest, items]),
      ...salts.flatMap((salt) => [salt.toString("hex"), salt.toString("base64")]),
    ].map((text) => text ?? "");
    const stands = (dump: Awaited<ReturnType<typeof dumpDatabase>>) =>
      sought.map((text) => findTables(dump, escapeJson(text)).length > 0);
    const before = await dumpDatabase();
    for (const salt of salts)
      assert.deepEqual(findTables(before, salt.toString("hex")), ["public.consent_salts"]);
    assert.ok(findTables(before, secret).includes("public.exports"));
    const wanted = sought.map((text) => !salts.some((salt) => salt.toString("base64") === text));
    assert.deepEqual(stands(before), wanted, "the searched text was there");

    const { status, body } = await erase(site, secret);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.count, 3);
    const after = await dumpDatabase();
    for (const text of sought) assert.deepEqual(findTables(after, escapeJson(text)), [], text);
    const kept = after.get("public.consent_keys")?.filter((row) => row.includes(site.id));
    assert.deepEqual(kept, [], "a stored digest of a request would allow guessing it");
    for (const id of ids) {
      const consentId = { consentId: id };
      const asked = hrefOf("", paths.proof, consentId, { token: secret });
      assert.equal((await service.fetch(asked)).status, 404);
      const owned = await service.fetch(hrefOf("", paths.proof, consentId), { token: site.token });
      assert.equal(owned.status, 404);
    }
    for (const id of others) await waitForProof(id, "somebody else");
    assert.equal(await assertStatesMatchRecords(site.id), 1);
  });

  it("returns a receipt with the number of records and nothing about the person", async () => {
    const site = await newSite();
    const ids = [await collected(site, accepts("t")), await collected(site, accepts("t"))];
    const proofs = await Promise.all(ids.map((id) => waitForProof(id, "t")));
    const { body } = await erase(site, "t");
    assert.equal(body.count, 2);
    assert.equal(body.reason, "request");
    assert.equal(body.orderedBy, site.userId);
    assert.ok(Math.abs(Date.parse(body.erasedAt) - service.clock.now().getTime()) < 60_000);
    const receipt = await waitForReceipt(site, body.links.self);
    const [entry, ...more] = receipt.erasure;
    assert.deepEqual(more, []);
    assert.deepEqual(entry.record, {
      type: "erasure",
      v: 1,
      erasureId: body.id,
      projectId: site.id,
      erasedAt: body.erasedAt,
      reason: "request",
      orderedBy: site.userId,
      count: 2,
      part: 1,
      parts: 1,
      leaves: proofs.map(({ consent }) => leafOf(consent.proof)).toSorted((a, b) => a - b),
    });
    const { rows } = await sql<{ name: string; document_id: string; data: unknown }>`
      SELECT name, document_id, data FROM events
      WHERE project_id = ${site.id} ORDER BY id DESC LIMIT 1`.execute(service.db);
    const data = { reason: "request", count: 2 };
    assert.deepEqual(rows, [{ name: "consent.erased", document_id: body.id, data }]);
  });

  it("resets the token to never asked, and allows new answers", async () => {
    const site = await newSite();
    await publish(site);
    await collected(site, accepts("t", { preferences: { vendors: { matomo: true } } }));
    const at = service.clock.now().toISOString();
    await collected(site, { token: "t", accept: false });
    assert.equal((await erase(site, "t")).status, 200);
    for (const query of ["", `?at=${at}`]) {
      const { body } = await readToken(site, "t", query);
      assert.deepEqual(body.history, []);
      assert.ok(body.state.every(({ status }: { status: string }) => status === "never-asked"));
    }
    const href = hrefOf("", paths.clientTokens, { id: site.id });
    const tokens = await service.fetch(href, { token: site.token });
    assert.deepEqual(tokens.body.items, []);
    await collected(site, accepts("t", { preferences: { vendors: { matomo: true } } }));
    const { body } = await readToken(site, "t");
    assert.equal(body.history.length, 1);
    assert.equal(await assertStatesMatchRecords(site.id), 1);
  });

  it("lists erasures newest first, by cursor", async () => {
    const site = await newSite();
    for (const token of ["a", "b", "c"]) {
      await collected(site, accepts(token));
      assert.equal((await erase(site, token)).status, 200);
    }
    const whole = await listErasures(site);
    assert.equal(whole.body.items.length, 3);
    const pages: string[] = [];
    let href: string | undefined = hrefOf("", paths.erasures, { projectId: site.id }, { limit: 2 });
    while (href !== undefined) {
      const { body }: TestAnswer = await service.fetch(href, { token: site.token });
      pages.push(...body.items.map(({ id }: { id: string }) => id));
      href = body.links.next;
    }
    assert.deepEqual(
      pages,
      whole.body.items.map(({ id }: { id: string }) => id),
    );
    assert.deepEqual(pages, pages.toSorted().toReversed());
  });

  it("is for owners only; receipts are for readers of consents", async () => {
    const site = await newSite();
    await collected(site, accepts("t"));
    assert.equal((await erase({ id: site.id }, "t")).status, 403);
    for (const role of ["viewer", "editor", "auditor"])
      assert.equal((await erase({ ...site, token: await share(site, role) }, "t")).status, 403);
    const stranger = await newSite();
    assert.equal((await erase({ id: site.id, token: stranger.token }, "t")).status, 404);
    const { status, body } = await erase(site, "t");
    assert.equal(status, 200);
    const auditor = { id: site.id, token: await share(site, "auditor") };
    await waitForReceipt(auditor, body.links.self);
    assert.equal((await listErasures(auditor)).body.items.length, 1);
    assert.equal((await listErasures({ ...site, token: stranger.token })).status, 404);
    assert.equal((await service.fetch(body.links.self, { token: stranger.token })).status, 404);
    assert.equal((await service.fetch(body.links.self)).status, 403);
    const other = hrefOf("", paths.erasure, { projectId: stranger.id, id: body.id });
    assert.equal((await service.fetch(other, { token: stranger.token })).status, 404);
  });

  it("returns 404 for a token without records, and when repeated", async () => {
    const site = await newSite();
    assert.equal((await erase(site, "nobody")).status, 404);
    await collected(site, accepts("t"));
    assert.equal((await erase(site, "t")).status, 200);
    assert.equal((await erase(site, "t")).status, 404);
    assert.equal((await listErasures(site)).body.items.length, 1);
  });
});

/** Escapes text as within JSON text: some searched texts have quotes. */
function escapeJson(text: string): string {
  return text.startsWith("{") ? text : JSON.stringify(text).slice(1, -1);
}

function leafOf(proof: string): number {
  return Number(/^index (\d+)$/m.exec(proof)?.[1]);
}

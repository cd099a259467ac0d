import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { type NoteKey, toNoteKey } from "../../packages/server/modules/evidence/log/note.ts";
import { TICKET_MS, openTickets } from "../../packages/server/modules/evidence/tickets.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { assertStatesMatchRecords, openNode } from "./collector.ts";
import { assertProven, waitForProof } from "./proofs.ts";
import {
  type Site,
  collect,
  create,
  newSite,
  publish,
  readStatuses,
  toProcessing,
} from "./site.ts";
import { askForTicket, newLiveSite, newTicket, openServiceKeys, shop } from "./tickets.ts";

const unknownId = "0123456789abcdef01234567";
const count = (length: number) => Array.from({ length }, (_, n) => n);
const openWith = (keys: readonly NoteKey[]) => openTickets({ read: async () => keys });
const gradeOf = ({ body }: { body: { grade: string } }) => body.grade;

/** An answer with a ticket, as a page of the shop sends it. */
function answer(site: Site, ticket: string, headers: Record<string, string> = { origin: shop }) {
  const json = { accept: true, token: randomUUID(), ticket };
  return collect(site, "cookies", site.cookies, json, headers);
}

/** Asserts that a ticket did not count, the answer was stored, and the reason is returned. */
function assertNotCounted({ status, body }: Awaited<ReturnType<typeof answer>>, why: RegExp): void {
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal(body.grade, "browser", String(why));
  assert.equal(body.displayedAt, undefined);
  assert.equal(body.warnings?.length, 1, String(why));
  assert.equal(body.warnings[0].path, "/ticket");
  assert.match(body.warnings[0].message, why);
}

describe("POST /v1/app/tickets/{projectId}", () => {
  it("returns a ticket for the live version, for half an hour, to every origin", async () => {
    const site = await newLiveSite();
    const { status, body, headers } = await askForTicket(site.id, shop);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(Object.keys(body).toSorted(), ["expiresAt", "ticket", "version"]);
    assert.ok(body.ticket.length < 300, body.ticket);
    assert.equal(body.version, 1);
    const leftMs = Date.parse(body.expiresAt) - Date.now();
    assert.ok(leftMs > TICKET_MS - 10_000 && leftMs <= TICKET_MS, body.expiresAt);
    assert.equal(headers.get("access-control-allow-origin"), "*");
    assert.equal(headers.get("cache-control"), "no-store");
    await publish(site);
    assert.equal((await askForTicket(site.id, shop)).body.version, 2);
  });

  it("returns another each time, also under one Idempotency-Key, and stores nothing", async () => {
    const site = await newLiveSite();
    const at = hrefOf("", paths.tickets, { projectId: site.id });
    const headers = { origin: shop, "idempotency-key": randomUUID() };
    const ask = () => service.fetch(at, { method: "POST", headers });
    const tickets = await Promise.all(count(5).map(ask));
    assert.equal(new Set(tickets.map(({ body }) => body.ticket)).size, 5);
    const { rows } = await sql<{ kept: number }>`
      SELECT count(*) AS kept FROM consent_keys WHERE project_id = ${site.id}`.execute(
      service.data,
    );
    assert.equal(rows[0]?.kept, 0);
  });

  it("returns 404 for an unknown or deleted project, 409 while nothing is published", async () => {
    assert.equal((await askForTicket(unknownId, shop)).status, 404);
    const site = await newSite();
    const none = await askForTicket(site.id, shop);
    assert.equal(none.status, 409, JSON.stringify(none.body));
    assert.match(none.body.detail, /published/);
    await publish(site);
    assert.equal((await askForTicket(site.id, shop)).status, 200);
    const at = hrefOf("", paths.publishedProject, { projectId: site.id });
    const { status } = await service.fetch(at, { method: "DELETE", token: site.token });
    assert.ok(status < 300, String(status));
    const gone = `/v1/vault/projects/${site.id}?confirm=${site.id}`;
    await service.fetch(gone, { method: "DELETE", token: site.token });
    assert.equal((await askForTicket(site.id, shop)).status, 404);
  });

  it("limits its input: 413 for a body, 400 for an origin that no host has", async () => {
    const site = await newLiveSite();
    const at = hrefOf("", paths.tickets, { projectId: site.id });
    assert.equal((await service.fetch(at, { json: { more: "x".repeat(20_000) } })).status, 413);
    assert.equal((await service.fetch(at, { json: {} })).status, 200);
    const long = await askForTicket(site.id, `https://${"a".repeat(300)}.example`);
    assert.equal(long.status, 400);
    assert.deepEqual(long.body.errors, [
      { path: "Origin", message: "has more than 300 characters" },
    ]);
  });
});

describe("a ticket", () => {
  it("does not count when forged, truncated or malformed: the answer is stored all the same", async () => {
    const site = await newLiveSite();
    const ticket = await newTicket(site);
    const [head = "", content = "", mac = ""] = ticket.split(".");
    const decoded = JSON.parse(Buffer.from(content, "base64url").toString()) as unknown[];
    const withVersion = JSON.stringify(decoded.with(1, 7));
    const other = openWith([toNoteKey("tests", Buffer.alloc(32, 9))]);
    const given = { projectId: site.id, version: 1, origin: shop, now: new Date() };
    const forged = [
      "",
      "no ticket",
      `${head}.${content}`,
      ticket.slice(0, -1),
      `${ticket}A`,
      `${head}.${content}.${mac.startsWith("A") ? "B" : "A"}${mac.slice(1)}`,
      `${head}.${Buffer.from(withVersion).toString("base64url")}.${mac}`,
      (await other.issue(given)).ticket,
    ];
    for (const text of forged)
      assertNotCounted(await answer(site, text), /not issued by this service/);
    assert.equal(gradeOf(await answer(site, ticket)), "ticketed", "none of these used it");
  });

  it("is rejected with 400 when it is not text, or longer than any", async () => {
    const site = await newLiveSite();
    for (const ticket of [1, null, {}, "x".repeat(1_025)]) {
      const json = { accept: true, ticket };
      const { status, body } = await collect(site, "cookies", site.cookies, json);
      assert.equal(status, 400);
      assert.equal(body.errors[0].path, "/ticket");
    }
  });

  it("counts for half an hour", async () => {
    const site = await newLiveSite();
    const tickets = openWith(await openServiceKeys());
    const given = { projectId: site.id, version: 1, origin: shop };
    const issuedAgo = async (ms: number) => {
      const now = new Date(service.clock.now().getTime() - ms);
      return (await tickets.issue({ ...given, now })).ticket;
    };
    assertNotCounted(await answer(site, await issuedAgo(TICKET_MS)), /has expired/);
    assertNotCounted(await answer(site, await issuedAgo(-60_000)), /in the future/);
    const last = await answer(site, await issuedAgo(TICKET_MS - 60_000));
    assert.equal(gradeOf(last), "ticketed");
    const sinceMs = Date.parse(last.body.createdAt) - Date.parse(last.body.displayedAt);
    assert.ok(Math.abs(sinceMs - (TICKET_MS - 60_000)) < 10_000, `${sinceMs} ms`);
  });

  it("counts for its project only", async () => {
    const [site, other] = [await newLiveSite(), await newLiveSite()];
    assertNotCounted(await answer(site, await newTicket(other)), /another project/);
  });

  it("counts for its origin only; a request without one has another", async () => {
    const site = await newLiveSite();
    const evil = { origin: "https://evil.example" };
    const ticket = await newTicket(site);
    assertNotCounted(await answer(site, ticket, evil), /another origin/);
    assertNotCounted(await answer(site, ticket, {}), /another origin/);
    assert.equal(gradeOf(await answer(site, ticket)), "ticketed");
    const { body } = await askForTicket(site.id, undefined);
    assertNotCounted(await answer(site, body.ticket), /another origin/);
    assert.equal(gradeOf(await answer(site, body.ticket, {})), "ticketed");
  });

  it("proves the displayed version, also when another is live by now", async () => {
    const site = await newLiveSite();
    const ticket = await newTicket(site);
    const later = await create(site.token, "processings", toProcessing(site.id));
    await service.fetch(`/v1/vault/processings/${site.processing}`, {
      method: "PATCH",
      token: site.token,
      json: { purpose: "Sell what we know" },
    });
    await publish(site);
    const send = (identifier: string, json: object) =>
      collect(site, "processings", identifier, { accept: true, ...json }, { origin: shop });
    const fresh = await send(site.processing, { token: "without" });
    assert.equal(fresh.body.version, 2);
    const { body } = await send(site.processing, { token: "with", ticket });
    assert.equal(body.grade, "ticketed");
    assert.equal(body.version, 1);
    const bundle = await waitForProof(body.consentId, "with");
    assert.equal((await assertProven(bundle))["version"], 1);
    assert.equal(bundle.publication.record.version, 1);
    assert.equal((await readStatuses(site, "without"))[site.processing], "accepted");
    assert.equal((await readStatuses(site, "with"))[site.processing], "superseded");
    const old = openWith(await openServiceKeys());
    const given = { projectId: site.id, version: 1, origin: shop, now: service.clock.now() };
    const unknown = await send(later, { token: "later", ticket: (await old.issue(given)).ticket });
    assertNotCounted(unknown, /version 1, which does not contain this configuration/);
    await assertStatesMatchRecords(site.id);
  });
});

describe("a ticket that is used twice", () => {
  it("counts the first time, and is reported as used the second", async () => {
    const site = await newLiveSite();
    const ticket = await newTicket(site);
    assert.equal(gradeOf(await answer(site, ticket)), "ticketed");
    assertNotCounted(await answer(site, ticket), /was used before/);
    assert.equal(await assertStatesMatchRecords(site.id), 2);
  });

  it("counts for one of twenty concurrent answers, and all are stored", async () => {
    const site = await newLiveSite();
    const ticket = await newTicket(site);
    const answers = await Promise.all(count(20).map(() => answer(site, ticket)));
    const counted = answers.filter((one) => gradeOf(one) === "ticketed");
    assert.equal(counted.length, 1);
    for (const one of answers) if (one !== counted[0]) assertNotCounted(one, /was used before/);
    assert.equal(await assertStatesMatchRecords(site.id), 20);
  });

  it("counts for one of forty on two nodes, without delaying answers with other tickets", async () => {
    const site = await newLiveSite();
    const keys = await openServiceKeys();
    await using left = openNode({ keys });
    await using right = openNode({ keys });
    const shared = await newTicket(site);
    const own = await Promise.all(count(20).map(() => newTicket(site)));
    const send = (n: number, ticket: string) =>
      (n % 2 ? left : right).collect(
        site,
        { accept: true, token: randomUUID(), ticket },
        { origin: shop },
      );
    const [shares, others] = await Promise.all([
      Promise.all(count(40).map((n) => send(n, shared))),
      Promise.all(own.map((ticket, n) => send(n, ticket))),
    ]);
    const gradesOf = (all: typeof shares) => all.map(({ record }) => record.grade);
    assert.equal(gradesOf(shares).filter((grade) => grade === "ticketed").length, 1);
    assert.deepEqual(new Set(gradesOf(others)), new Set(["ticketed"]));
    assert.equal(await assertStatesMatchRecords(site.id), 60);
  });

  it("counts once in one batch, with a result per item", async () => {
    const site = await newLiveSite();
    const [one, two] = [await newTicket(site), await newTicket(site)];
    const item = { collection: "cookies", identifier: site.cookies };
    const tickets = [one, one, two, undefined, "forged"];
    const json = tickets.map((ticket, n) => ({
      ...item,
      id: `i${n}`,
      token: "visitor",
      ticket,
      accept: n !== 1,
    }));
    const at = hrefOf("", paths.collectBatch, { projectId: site.id });
    const send = () => service.fetch(at, { json, headers: { origin: shop } });
    const { status, body } = await send();
    assert.equal(status, 200, JSON.stringify(body));
    const grades = body.map((record: { grade: string }) => record.grade);
    assert.deepEqual(grades, ["ticketed", "browser", "ticketed", "browser", "browser"]);
    assert.match(body[1].warnings[0].message, /was used before/);
    assert.equal(body[3].warnings, undefined);
    assert.match(body[4].warnings[0].message, /not issued by this service/);
    assert.deepEqual((await send()).body, body, "a repetition returns the first consents");
    const ids = body.map((record: { consentId: string }) => record.consentId);
    assert.deepEqual(ids, ids.toSorted(), "one visitor's answers keep their order");
    assert.equal(await assertStatesMatchRecords(site.id), 5);
  });

  it("counts the same for a repetition under its Idempotency-Key", async () => {
    const site = await newLiveSite();
    const json = { accept: true, token: "visitor", ticket: await newTicket(site) };
    const headers = { origin: shop, "idempotency-key": randomUUID() };
    const send = () => collect(site, "cookies", site.cookies, json, headers);
    const answers = await Promise.all(count(10).map(send));
    answers.push(await send());
    assert.equal(new Set(answers.map(({ body }) => body.consentId)).size, 1);
    assert.deepEqual(new Set(answers.map(gradeOf)), new Set(["ticketed"]));
    const replayed = answers.filter((one) => one.headers.get("idempotency-replayed") === "true");
    assert.equal(replayed.length, 10);
    assert.equal(await assertStatesMatchRecords(site.id), 1);
  });

  it("is not used by a rejected answer", async () => {
    const site = await newLiveSite();
    const ticket = await newTicket(site);
    const json = { accept: true, ticket };
    assert.equal((await collect(site, "cookies", unknownId, json)).status, 404);
    const mangled = { ...json, timestamp: "never" };
    assert.equal((await collect(site, "cookies", site.cookies, mangled)).status, 400);
    assert.equal(gradeOf(await answer(site, ticket)), "ticketed");
  });
});

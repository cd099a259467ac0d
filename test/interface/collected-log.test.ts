import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { listRecorded } from "../../packages/server/modules/consents/commitments/recorded.ts";
import { openFacts } from "../../packages/server/modules/evidence/log/sequence/facts.ts";
import { toConsentText } from "@avow/contract/record";
import { toEntry } from "../../packages/server/modules/evidence/log/tree/entry.ts";
import { service } from "../harness.ts";
import { assertProven, holdLog, waitForProof } from "./proofs.ts";
import { type Site, collect, newSite, publish } from "./site.ts";

/** Answers of every shape; index identifies `visitor`. */
const answers = [
  { accept: true },
  { accept: false },
  { accept: true, preferences: { vendors: { matomo: true } } },
  { accept: true, preferences: { vendors: { matomo: false, unknown: true } }, language: "fr" },
  { accept: true, url: "https://shop.example/ä?q=%F0#é", timestamp: 1_700_000_000_123 },
  { accept: true, value: { b: 1.5e-7, a: ["\u0001é😀", null, -0], "": "\u2028" } },
  { accept: true, preferences: { googleConsentMode: { ad_storage: "denied" }, tcString: "C" } },
];

interface Queued {
  id: string;
  entry: Buffer | null;
  salt: Buffer | null;
}

async function send(site: Site, prefix: string): Promise<{ id: string; token: string }[]> {
  const sent = [];
  for (const [at, answer] of answers.entries()) {
    const token = `${prefix}-${at}-é"\\`;
    const { status, body } = await collect(site, "cookies", site.cookies, { token, ...answer });
    assert.equal(status, 201, JSON.stringify(body));
    sent.push({ id: body.consentId as string, token });
  }
  return sent;
}

describe("the log entry of a collected consent", () => {
  it("is created with the consent, equal to what the log would create from the record", async () => {
    const site = await newSite();
    await publish(site);
    // The answer combinations and the version are cached after the first request.
    for (const { id, token } of await send(site, "first")) await waitForProof(id, token);
    const sent = await holdLog(async () => {
      const made = await send(site, "second");
      const { rows } = await sql<Queued>`
        SELECT consent_id AS id, entry, salt FROM consent_queue WHERE project_id = ${site.id}`.execute(
        service.data,
      );
      const queued = new Map(rows.map((row) => [row.id, row]));
      const ids = made.map(({ id }) => id);
      const facts = openFacts();
      const records = await listRecorded(
        service.data,
        ids.map(() => site.id),
        ids,
      );
      assert.equal(records.length, answers.length);
      for (const record of records) {
        const { entry, salt } = queued.get(record.id) ?? {};
        assert.ok(entry && salt, `${record.token} is queued with its entry and its salt`);
        const text = toConsentText(record, await facts.factsOf(service.data, record));
        assert.equal(entry.toString("hex"), toEntry(text, salt).toString("hex"), text);
      }
      assert.equal(new Set(rows.map(({ salt }) => salt?.toString("hex"))).size, answers.length);
      return made;
    });
    for (const { id, token } of sent) {
      const record = await assertProven(await waitForProof(id, token));
      assert.equal(record["token"], token);
    }
  });

  it("is left to the log when the answer combination is not cached yet", async () => {
    const site = await newSite();
    await publish(site);
    const [first] = await send(site, "first");
    assert.ok(first);
    const record = await assertProven(await waitForProof(first.id, first.token));
    assert.equal(record["consentId"], first.id);
  });
});

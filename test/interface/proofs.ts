import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { hrefOf, paths } from "@avow/contract/urls";
import { parseVerifierKey } from "../../packages/verifier/formats/verifier-key.ts";
import { verifyBundle } from "../../packages/verifier/verify.ts";
import { service } from "../harness.ts";

const WAIT_MS_MAX = 60_000;

/** Runs `act` while the sequencer is blocked, so that queued entries stay. */
export async function holdLog<T>(act: () => Promise<T>): Promise<T> {
  return service.data.transaction().execute(async (tx) => {
    // The sequencer's own lock.
    await sql`SELECT pg_advisory_xact_lock(4711001)`.execute(tx);
    return act();
  });
}

/** The proof of a consent, for the visitor with the token, once it is in the log. */
export async function waitForProof(consentId: string, token: string) {
  const until = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const answer = await service.fetch(hrefOf("", paths.proof, { consentId }, { token }));
    if (answer.status === 200) return answer.body;
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    assert.ok(answer.headers.get("retry-after"), "the response has a retry delay");
    assert.ok(performance.now() < until, JSON.stringify(answer.body));
    await delay(50);
  }
}

/** Verifies a whole bundle under the keys that it names; returns the record. */
export async function assertProven(bundle: {
  keys: string[];
  consent: { record: Record<string, unknown> };
}): Promise<Record<string, unknown>> {
  const trustedKeys = await Promise.all(bundle.keys.map(parseVerifierKey));
  const report = await verifyBundle(JSON.stringify(bundle), { trustedKeys });
  assert.equal(report.verdict, "proven", JSON.stringify(report.checks, null, 2));
  return bundle.consent.record;
}

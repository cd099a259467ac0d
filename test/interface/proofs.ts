import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { hrefOf, paths } from "../../server/paths.ts";
import { service } from "../harness.ts";

const WAIT_MS_MAX = 20_000;

/** The proof of a consent, for the visitor with the token, once it is in the log. */
export async function waitForProof(consentId: string, token: string) {
  const until = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const answer = await service.fetch(hrefOf("", paths.proof, { consentId }, { token }));
    if (answer.status === 200) return answer.body;
    assert.ok(performance.now() < until, JSON.stringify(answer.body));
    await delay(50);
  }
}

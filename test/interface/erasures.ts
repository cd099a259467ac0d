import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { hrefOf, paths } from "@avow/contract/urls";
import { type TestAnswer, service } from "../harness.ts";
import type { Site } from "./site.ts";

const WAIT_MS_MAX = 60_000;

export function erase(site: { id: string; token?: string }, token: string): Promise<TestAnswer> {
  const href = hrefOf("", paths.erasedToken, { projectId: site.id, token });
  const request = site.token === undefined ? {} : { token: site.token };
  return service.fetch(href, { method: "DELETE", ...request });
}

/** The receipt of an erasure, once it is in the log. */
export async function waitForReceipt(site: Pick<Site, "token">, href: string) {
  const until = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const answer = await service.fetch(href, { token: site.token });
    if (answer.status === 200) return answer.body;
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    assert.ok(answer.headers.get("retry-after"), "the response has a retry delay");
    assert.ok(performance.now() < until, JSON.stringify(answer.body));
    await delay(50);
  }
}

import assert from "node:assert/strict";
import type { Intervals } from "../../packages/server/kernel/intervals.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { openTestDatabase } from "../database.ts";
import { type TestAnswer, type TestRequest, intervals, service } from "../harness.ts";
import { openAnotherService } from "./another-service.ts";
import { toCookies, toProcessing } from "./site.ts";

const hour = 3_600_000;
/** The database's clock stays in the present; with this margin it rejects no id of the past. */
const pastIntervals: Intervals = { ...intervals, collectingMs: 200 * 365 * 24 * hour };

/** Entries of an accepted list by token, as a reader stores it. */
export type AcceptedTokens = Map<string, string>;

/**
 * A project of a service with its own database and clock. Ids follow the clock, and never go back
 * with it: on a shared service other tests would not find their records.
 */
export async function openClockedSite(
  env: Record<string, string> = {},
  usedIntervals: Intervals = pastIntervals,
) {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await openTestDatabase());
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const parts = { intervals: usedIntervals };
  const running = opened.use(new AsyncDisposableStack());
  const { url, lines } = running.use(await openAnotherService(database.url, env, now, parts));

  let token = "";
  const send = (path: string, request: TestRequest = {}): Promise<TestAnswer> =>
    service.fetch(path.startsWith("http") ? path : url + path, { token, ...request });
  const create = async (resource: string, json: object): Promise<string> => {
    const { status, body } = await send(`/v1/vault/${resource}`, { json });
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  };
  const credentials = { email: "owner@shop.example", password: "correct horse" };
  token = (await send(paths.signup, { json: credentials })).body.token;
  const id = await create("projects", {
    websiteURL: "https://shop.example",
    title: "Shop",
    DPO: { organization: "Shop Ltd" },
  });
  const settings = { expiresAfterDays: 1 };
  const cookies = await create("cookies", toCookies(id, { settings }));
  const processing = await create("processings", toProcessing(id, { settings }));

  /** Waits for a job that was just started. */
  const finish = async ({ status, body }: TestAnswer): Promise<void> => {
    assert.equal(status, 202, JSON.stringify(body));
    for (let job = body; job.status !== "Done";) {
      assert.notEqual(job.status, "Error", JSON.stringify(job));
      await new Promise((resolve) => setTimeout(resolve, 20));
      job = (await send(body.links.self)).body;
    }
  };
  const owned = opened.move();
  return {
    id,
    cookies,
    processing,
    url,
    lines,
    databaseUrl: database.url,
    dataUrl: database.dataUrl,
    now,
    send,
    /** Ends the service; its database stays. */
    stop: () => running.disposeAsync(),
    setAhead(ms: number): void {
      aheadMs = ms;
    },
    advance(ms: number): void {
      aheadMs += ms;
    },
    async collect(collection: string, identifier: string, json: object): Promise<void> {
      const at = hrefOf("", paths.collect, { projectId: id, collection, identifier });
      const { status, body } = await send(at, { json });
      assert.equal(status, 201, JSON.stringify(body));
    },
    async publish(): Promise<void> {
      await finish(await send(hrefOf("", paths.publishJob, { id }), { method: "POST" }));
    },
    async rollback(version: number): Promise<void> {
      const at = hrefOf("", paths.rollback, { projectId: id, version });
      await finish(await send(at, { method: "POST" }));
    },
    acceptedAt: (identifier: string, query: Record<string, string | number> = {}) =>
      url + hrefOf("", paths.clientAcceptedItem, { id, identifier }, query),
    /** Applies a page of a list, or of its changes, and returns the page. */
    async read(href: string, kept: AcceptedTokens) {
      const { status, body } = await send(href);
      assert.equal(status, 200, JSON.stringify(body));
      for (const item of body.items)
        if (item.change === "removed") kept.delete(item.token);
        else kept.set(item.token, item.since);
      return body;
    },
    /** Reads all pages from `href` on; returns the URL of later changes. */
    async readAll(href: string, kept: AcceptedTokens): Promise<string> {
      for (let next = href; ;) {
        const body = await this.read(next, kept);
        if (body.links.next === undefined) return body.changes;
        next = body.links.next;
      }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export type ClockedSite = Awaited<ReturnType<typeof openClockedSite>>;

/** Pseudo-random numbers that are the same in every run (mulberry32). */
export function openDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

/** One random step: an answer, a passage of time, or a publication. */
export async function takeRandomStep(
  site: ClockedSite,
  roll: (sides: number) => number,
): Promise<void> {
  const token = `t${roll(12)}`;
  const accept = roll(3) > 0;
  if (roll(16) === 0) {
    const json = { purpose: `Purpose ${roll(2)}` };
    await site.send(`/v1/vault/processings/${site.processing}`, { method: "PATCH", json });
    const steps = [{ name: "a", vendors: [{ name: "matomo", domain: `m${roll(2)}.example` }] }];
    const patch = { method: "PATCH", json: { steps } };
    await site.send(`/v1/vault/cookies/${site.cookies}`, patch);
    await site.publish();
  } else if (roll(40) === 0) await site.rollback(1);
  else if (roll(4) === 0) site.advance(roll(14) * hour);
  else if (roll(2) === 0) await site.collect("processings", site.processing, { token, accept });
  else {
    const preferences = roll(2) === 0 ? { vendors: { matomo: roll(2) === 0 } } : {};
    await site.collect("cookies", site.cookies, { token, accept, preferences });
  }
}

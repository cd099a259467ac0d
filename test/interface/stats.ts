import assert from "node:assert/strict";
import { sql } from "kysely";
import type { StatsOut } from "../../packages/server/modules/consents/stats/schema.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { findLogSize } from "../../packages/server/modules/evidence/log/placed.ts";
import { type TestAnswer, service } from "../harness.ts";
import { poll } from "../poll.ts";
import { type Site, collect, vendors } from "./site.ts";
import { shop } from "./tickets.ts";

const phone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1";
export const step = "analytics";

/** Requests a ticket as a page on a phone does, which counts as a display. */
export async function show(
  site: Pick<Site, "id">,
  shown: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<string> {
  const at = hrefOf("", paths.tickets, { projectId: site.id }, shown);
  const request = { method: "POST", headers: { origin: shop, "user-agent": phone, ...headers } };
  const { status, body } = await service.fetch(at, request);
  assert.equal(status, 200, JSON.stringify(body));
  return body.ticket;
}

/** An answer to a banner: for all vendors alike, or for the first alone. */
export async function answer(
  site: Site,
  accept: boolean | "partly",
  more: Record<string, unknown> = {},
): Promise<void> {
  const [first = { name: "" }, second = { name: "" }] = vendors;
  const given = { [first.name]: accept !== false, [second.name]: accept === true };
  const json = { accept: accept !== false, preferences: { vendors: given }, ...more };
  const { status, body } = await collect(site, "cookies", site.cookies, json, { origin: shop });
  assert.equal(status, 201, JSON.stringify(body));
}

export function askStats(
  { id, token }: Pick<Site, "id" | "token">,
  query: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  return service.fetch(hrefOf("", paths.stats, { projectId: id }, query), { token, headers });
}

/** A project's numbers, once everything until now is counted. */
export async function readStats(
  site: Pick<Site, "id" | "token">,
  query: Record<string, string> = {},
): Promise<StatsOut> {
  await poll({
    read: isAllCounted,
    isRight: Boolean,
    waitMs: 60_000,
    toMessage: () => "counting did not catch up",
  });
  const since = service.clock.now().getTime();
  return poll<StatsOut>({
    async read() {
      const { status, body } = await askStats(site, query);
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    },
    // A test that moved the clock may have left answers of the future, which do not count here.
    isRight: ({ until }) => {
      const countedMs = Date.parse(until ?? "");
      return countedMs > since && countedMs <= service.clock.now().getTime();
    },
    waitMs: 60_000,
    toMessage: ({ until }) => `counted until ${until}`,
  });
}

/** Whether every stored answer is in the log, and the whole log is counted. */
async function isAllCounted(): Promise<boolean> {
  const { rows } = await sql<{ isCounted: boolean }>`
    SELECT NOT EXISTS (SELECT FROM consent_queue) AND leaf >= ${await findLogSize(service.data)} AS "isCounted"
    FROM answer_counts_head`.execute(service.data);
  return rows[0]?.isCounted === true;
}

/** The totals of each series, by its key. */
export function totalsOf({ series }: StatsOut): Record<string, object> {
  return Object.fromEntries(series.map(({ key, totals }) => [String(key), totals]));
}

/** Moves the publication of version 1 to the past. */
export async function movePublication(site: Pick<Site, "id">, publishedAt: Date): Promise<void> {
  await sql`UPDATE publications SET published_at = ${publishedAt}
    WHERE project_id = ${site.id} AND environment = 'production' AND version = 1`.execute(
    service.db,
  );
}

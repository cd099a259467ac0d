import assert from "node:assert/strict";
import { pino } from "pino";
import { hrefOf, paths } from "@avow/contract/urls";
import { openDataPlane } from "../../packages/server/platform/db/buckets/open.ts";
import { openPlanes } from "../../packages/server/platform/db/open.ts";
import { createTestBuckets } from "../buckets.ts";
import type { TestDatabase } from "../database.ts";
import { service } from "../harness.ts";
import { poll } from "../poll.ts";
import { toCookies } from "./site.ts";

const BUCKETS = 3;
const WAIT_MS = 60_000;
const log = pino({ level: "silent" });

/** Both planes of a database whose projects are spread over buckets. */
export async function openDivided(database: TestDatabase, opened: AsyncDisposableStack) {
  const urls = { url: database.url, dataUrl: database.dataUrl };
  const pool = { poolMax: 4, queueMax: 1_000, log };
  const { db, data: home } = opened.use(openPlanes({ ...urls, ...pool }));
  if (process.env["TEST_PLANES"] !== "buckets") await createTestBuckets(home, BUCKETS);
  const attach = <T>(one: T): T => one;
  const buckets = opened.use(await openDataPlane({ home, dataUrl: urls.dataUrl, ...pool, attach }));
  return { db, buckets };
}

/** A user with projects that collect. */
export async function openSites(url: string, count: number) {
  const send = async (path: string, json: object, token?: string) => {
    const given = token === undefined ? { json } : { json, token };
    const { status, body } = await service.fetch(url + path, given);
    assert.ok(status < 300, `${path}: ${JSON.stringify(body)}`);
    return body;
  };
  const credentials = { email: "owner@shop.example", password: "correct horse" };
  const { token } = await send(paths.signup, credentials);
  const sites: { id: string; cookies: string }[] = [];
  for (let n = 0; n < count; n += 1) {
    const { id } = await send(
      "/v1/vault/projects",
      { title: `Shop ${n}`, websiteURL: "https://shop.example", DPO: { organization: "Shop" } },
      token,
    );
    const { id: cookies } = await send("/v1/vault/cookies", toCookies(id), token);
    sites.push({ id, cookies });
  }
  const collect = async ({ id: projectId, cookies: identifier }: (typeof sites)[number]) =>
    (await send(hrefOf("", paths.collect, { projectId, collection: "cookies", identifier }), {
      token: "ann",
      accept: true,
    })) as { consentId: string };
  return { token, sites, collect };
}

/** The body of the answer, once it is 200. */
export async function waitForAnswer(at: string) {
  const { body } = await poll({
    read: () => service.fetch(at),
    isRight: ({ status }) => status === 200,
    waitMs: WAIT_MS,
    toMessage: ({ status }) => `${at} is answered ${status}`,
  });
  return body;
}

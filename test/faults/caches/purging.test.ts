import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { findFreePort } from "../../../packages/server/platform/ports.ts";
import { type OneSite, openOneSite, pollUntil } from "../../interface/one-site.ts";
import { nginx, skipWithout, startCache, startNginx } from "./processes.ts";
import { readRecipes } from "./recipes.ts";

const varnish = "/usr/sbin/varnishd";

/** Opens a service behind a cache, both configured as docs/guides/cdn.md says, except for ports and folders. */
async function openCached(
  context: TestContext,
  name: string,
  start: (port: number, folder: string, configuration: string) => Promise<AsyncDisposable>,
): Promise<OneSite> {
  const opened = new AsyncDisposableStack();
  context.after(() => opened.disposeAsync());
  const { env, configuration = "" } = (await readRecipes()).find((one) => one.name === name) ?? {};
  assert.ok(env);
  const port = await findFreePort("127.0.0.1");
  const site = await openOneSite({
    ...env,
    CDN_URL: `http://127.0.0.1:${port}/cdn`,
    PURGE_URLS: (env["PURGE_URLS"] ?? "").replace(/:\d+/, `:${port}`),
  });
  opened.use(site);
  const folder = await mkdtemp(join(tmpdir(), "avow-cache-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const ported = configuration.replace("8080", new URL(site.url).port);
  opened.use(await start(port, folder, ported));
  return site;
}

async function startVarnish(port: number, folder: string, vcl: string): Promise<AsyncDisposable> {
  const path = join(folder, "avow.vcl");
  await writeFile(path, vcl);
  const listen = ["-a", `127.0.0.1:${port}`, "-T", "none", "-s", "malloc,16m"];
  const place = ["-F", "-f", path, "-n", join(folder, "work"), "-j", "none"];
  return startCache(varnish, [...place, ...listen], port);
}

async function startCachingNginx(
  port: number,
  folder: string,
  server: string,
): Promise<AsyncDisposable> {
  const own = server.replace("/var/cache/nginx", folder).replace("8081", String(port));
  return startNginx(port, folder, own);
}

/** Reads as browsers do, in each coding, and returns the publication of each answer. */
async function readThrough(url: string) {
  const answers = await Promise.all(
    ["gzip, deflate, br", "gzip", "identity"].map(async (coding) => {
      const headers = { "accept-encoding": coding };
      const answer = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) });
      const body = answer.ok ? ((await answer.json()) as { jobId: string }) : undefined;
      return { status: answer.status, jobId: body?.jobId };
    }),
  );
  return answers;
}

/** Number of requests for published files that reached the service. */
function countReads({ lines }: OneSite): number {
  return lines.filter((line) => line.includes('"method":"GET","route":"/cdn/*"')).length;
}

async function showPurging(site: OneSite): Promise<void> {
  const first = await site.publish();
  assert.deepEqual([first.status, first.message], ["Done", undefined]);
  const invalidation = first.steps.find(({ name }) => name === "invalidate");
  assert.equal(invalidation?.message, "3 paths were purged from the cache.");
  const all = (jobId: string) => Array.from({ length: 3 }, () => ({ status: 200, jobId }));
  assert.deepEqual(await readThrough(first.url), all(first.id));
  // From now on the cache answers: one request for each coding has reached the service.
  for (let again = 0; again < 3; again += 1)
    assert.deepEqual(await readThrough(first.url), all(first.id));
  await pollUntil("the log line of a read", () => countReads(site) || undefined);
  assert.ok(countReads(site) <= 3, `${countReads(site)} of 12 reads reached the service`);

  await site.rename("Shop, renamed");
  const second = await site.publish();
  assert.equal(second.status, "Done");
  assert.deepEqual(await readThrough(second.url), all(second.id));

  await site.unpublish();
  await pollUntil("the removal of the file from the cache", async () => {
    const statuses = (await readThrough(second.url)).map(({ status }) => status);
    return statuses.every((status) => status === 404) ? true : undefined;
  });
}

test(
  "serves a new version at once behind Varnish, configured as documented",
  { skip: skipWithout(varnish, "varnish") },
  async (context) => showPurging(await openCached(context, "Varnish", startVarnish)),
);

test(
  "serves a new version at once behind nginx, configured as documented",
  { skip: skipWithout(nginx, "nginx-light") },
  async (context) => showPurging(await openCached(context, "nginx", startCachingNginx)),
);

test(
  "logs the address of a Varnish that is not configured to purge",
  { skip: skipWithout(varnish, "varnish") },
  async (context) => {
    const site = await openCached(context, "Varnish", (port, folder, vcl) =>
      startVarnish(port, folder, vcl.slice(0, vcl.indexOf("acl purgers"))),
    );
    void site.publish().catch(() => undefined);
    const line = await pollUntil("the log line of the failed purge", () =>
      site.lines.find((one) => one.includes("publish step failed")),
    );
    assert.match(line, /3 of 3 purges failed: http:\/\/127\.0\.0\.1:\d+ /);
  },
);

import assert from "node:assert/strict";
import { readdir, stat } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { openAnotherService } from "./another-service.ts";
import { countsOf, toCsv, waitForEnd } from "./imports.ts";
import { type Site, newSite } from "./site.ts";

/** Sends a file to another service than the shared one. */
function sendTo(url: string, site: Site, body: string) {
  const { id, token } = site;
  const headers = { "content-type": "text/csv" };
  return service.fetch(url + hrefOf("", paths.imports, { projectId: id }), {
    token,
    body,
    headers,
  });
}

const own = 20_000;

function openSmall() {
  return openAnotherService(service.databaseUrl, { IMPORTS_STORED_BYTES_MAX: String(2 * own) });
}

test("a file larger than a user's storage limit is rejected with 413 during the upload", async () => {
  await using small = await openSmall();
  const site = await newSite();
  const { status, body } = await sendTo(small.url, site, "x".repeat(own + 1));
  assert.equal(status, 413);
  assert.match(body.detail, /at most 20000 bytes/);
});

test("concurrent uploads count towards the user's limit: 429", async () => {
  await using small = await openSmall();
  const site = await newSite();
  const folder = join(service.config.dataDir, "imports");
  const before = new Set(await readdir(folder));
  const coming = request(small.url + hrefOf("", paths.imports, { projectId: site.id }), {
    method: "POST",
    headers: { authorization: `Bearer ${site.token}`, "content-type": "text/csv" },
  });
  coming.on("error", () => undefined).write("x".repeat(own - 10));
  const hasCome = async (): Promise<boolean> => {
    const added = (await readdir(folder)).filter((name) => !before.has(name));
    const files = await Promise.all(
      added.map((name) => stat(join(folder, name)).catch(() => undefined)),
    );
    return files.some((file) => file?.size === own - 10);
  };
  for (let tries = 0; tries < 500 && !(await hasCome()); tries += 1) await delay(20);
  const refused = await sendTo(small.url, site, "x".repeat(100));
  assert.equal(refused.status, 429, JSON.stringify(refused.body));
  assert.match(refused.body.detail, /would take more than 20000 bytes/);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  coming.destroy();
});

test("lists of rejected lines count until they are removed", async () => {
  await using small = await openSmall();
  const site = await newSite();
  const lines = toCsv(
    site,
    Array.from({ length: 100 }, () => ({ collection: "pages" })),
  );
  const first = await sendTo(small.url, site, lines);
  assert.equal(first.status, 202, JSON.stringify(first.body));
  const job = await waitForEnd(
    site,
    hrefOf("", paths.import, { projectId: site.id, id: first.body.id }),
  );
  assert.equal(countsOf(job).refused, 100);
  const again = await sendTo(small.url, site, lines);
  assert.equal(again.status, 429, JSON.stringify(again.body));
  const href = hrefOf("", paths.import, { projectId: site.id, id: first.body.id });
  await service.fetch(href, { token: site.token, method: "DELETE" });
  assert.equal((await sendTo(small.url, site, lines)).status, 202);
});

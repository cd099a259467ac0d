import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { suite, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import canonicalize from "canonicalize";
import type { PublishJobOut } from "../../packages/server/modules/publish/publications/schema.ts";
import { ada, skip, stop } from "./lifecycle/checks.ts";
import { openDataFolder, startService, waitFor } from "./lifecycle/process.ts";
import { makeProject, send } from "./requests.ts";

const PUBLICATIONS = 100;
const READ_EVERY_MS = 10;

suite("readers of a project that is published repeatedly", { skip }, () => {
  test("never see a broken file, nor one older than the last job reported as Done", async (t) => {
    const service = startService(await openDataFolder(t));
    const address = await service.address();
    const { token } = await send<{ token: string }>(`${address}/v1/auth/local/signup`, {
      json: ada,
    });
    const id = await makeProject(address, token, "Shop");
    const answered = { version: 0, isOver: false };
    const publish = async () => {
      const jobsUrl = `${address}/v1/publish/jobs/${id}`;
      const { links } = await send<PublishJobOut>(jobsUrl, { token, json: {} });
      const job = await waitFor("the job's end", async () => {
        const found = await send<PublishJobOut>(links.self, { token });
        return found.status === "Done" || found.status === "Error" ? found : undefined;
      });
      assert.equal(job.status, "Done", job.message ?? "");
      answered.version = job.version ?? 0;
    };
    await publish();
    const readers = ["br", "gzip", "identity"].map((coding) =>
      readAgainAndAgain(`${address}/cdn/${id}.json`, coding, answered),
    );
    for (let n = 2; n <= PUBLICATIONS; n += 1) {
      const json = { DPO: { organization: `Shop ${n}`, address: "x".repeat((n * 37) % 3_000) } };
      await send(`${address}/v1/vault/projects/${id}`, { token, json, method: "PATCH" });
      await publish();
    }
    answered.isOver = true;
    const counts = await Promise.all(readers);
    assert.equal(answered.version, PUBLICATIONS);
    for (const { reads, versions } of counts) {
      assert.ok(reads > PUBLICATIONS, `${reads} reads`);
      assert.ok(versions > PUBLICATIONS / 4, `${versions} versions were seen`);
    }
    await stop(service);
  });
});

async function readAgainAndAgain(
  url: string,
  coding: string,
  answered: { version: number; isOver: boolean },
): Promise<{ reads: number; versions: number }> {
  const seen = new Set<number>();
  let reads = 0;
  for (; !answered.isOver; reads += 1) {
    const least = answered.version;
    const answer = await fetch(url, { headers: { "accept-encoding": coding } });
    assert.equal(answer.status, 200);
    const { hash, ...content } = (await answer.json()) as { hash: string; version: number };
    const digest = createHash("sha256")
      .update(canonicalize(content) ?? "")
      .digest("hex");
    assert.equal(digest, hash, "the file is whole");
    assert.ok(content.version >= least, `${content.version} is read after ${least} was answered`);
    seen.add(content.version);
    await delay(READ_EVERY_MS);
  }
  return { reads, versions: seen.size };
}

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { runAvow } from "../command.ts";
import { openTestDatabase } from "../database.ts";
import { openClockedSite } from "../interface/clocked.ts";
import { openAnotherService } from "../interface/another-service.ts";
import { service } from "../harness.ts";

const dataDir = await mkdtemp(join(tmpdir(), "avow-db-"));
after(() => rm(dataDir, { recursive: true }));

const run = (url: string, ...args: string[]) =>
  runAvow(["db", ...args], { env: { DATABASE_URL: url, DATA_DIR: dataDir, PORT: "0" } });

describe("avow db", () => {
  it("divides the projects of an installation among buckets, and keeps all of their data", async () => {
    await using opened = new AsyncDisposableStack();
    const site = await openClockedSite();
    const url = site.databaseUrl;
    const state = async (base: string) => {
      const at = hrefOf("", paths.clientConsents, { id: site.id, token: "ann" });
      const { status, body } = await site.send(base + at);
      assert.equal(status, 200, JSON.stringify(body));
      return body.history.map(({ consentId }: { consentId: string }) => consentId);
    };
    opened.use(site);
    for (const accept of [true, false])
      await site.collect("cookies", site.cookies, { token: "ann", accept });
    const before = await state(site.url);

    const made = await run(url, "distribute", "--buckets", "2");
    assert.equal(made.code, 0, made.err);
    assert.match(made.out, /New projects are placed in 2 buckets in this database\./);
    const saved = await runAvow(["backup", join(dataDir, "backups")], {
      env: { DATABASE_URL: url, DATA_DIR: dataDir, PORT: "0" },
    });
    assert.match(saved.err, /has 3 buckets, and avow backup copies only one/);
    const repeated = await run(url, "distribute", "--buckets", "1");
    assert.equal(repeated.code, 0, repeated.err);
    assert.match(repeated.err, /There are 2 buckets already\. None is removed\./);

    const refused = await run(url, "move", "--all");
    assert.equal(refused.code, 1);
    assert.match(refused.err, /Stop all nodes/);
    // The service stops; its database stays.
    await site.stop();

    const moved = await run(url, "move", "--all");
    assert.equal(moved.code, 0, moved.err);
    assert.match(moved.out, /^1 of 1 projects moved, with \d+ rows\.$/m);
    assert.match((await run(url, "move", "--all")).out, /^0 of 0 projects moved/m);
    const listed = await run(url, "buckets");
    const [, home, ...others] = listed.out.trim().split("\n");
    assert.match(home ?? "", /^public +this one +0 +[\d.]+ +no$/);
    const projects = others.map((line) => Number(line.split(/ {2,}/)[2]));
    assert.deepEqual(
      projects.toSorted((a, b) => a - b),
      [0, 1],
    );

    await using again = await openAnotherService(url, {}, site.now);
    assert.deepEqual(await state(again.url), before);
    for (const consentId of before) {
      const at = again.url + hrefOf("", paths.proof, { consentId }, { token: "ann" });
      assert.equal((await service.fetch(at)).status, 200);
    }
    const json = { token: "ann", accept: true };
    const target = { projectId: site.id, collection: "cookies", identifier: site.cookies };
    const { status } = await site.send(again.url + hrefOf("", paths.collect, target), { json });
    assert.equal(status, 201);
    assert.equal((await state(again.url)).length, before.length + 1);
  });

  it("rejects wrong usage, and buckets and projects that do not exist", async () => {
    await using database = await openTestDatabase();
    for (const args of [
      [],
      ["split"],
      ["move"],
      ["distribute", "x"],
      ["distribute", "--buckets", "0"],
      ["buckets", "--buckets", "3"],
      ["move", "--all", "--buckets", "3"],
    ])
      assert.equal((await run(database.url, ...args)).code, 2, args.join(" "));
    const bucket = await run(database.url, "move", "--all", "--to", "elsewhere");
    assert.match(bucket.err, /There is no bucket elsewhere\./);
    const project = await run(database.url, "move", "f".repeat(24));
    assert.match(project.err, /There is no data of a project f+\./);
  });
});

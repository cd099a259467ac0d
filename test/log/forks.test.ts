import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { runSql } from "../database.ts";
import { waitFor } from "../faults/lifecycle/process.ts";
import { openWitness } from "./witness.ts";
import { fill, openFilled, origin, query, readCheckpoint, sizeOf } from "./world.ts";

const SECOND_MS = 1_000;

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

/** Puts `copy` in the place of a database that has connections, as a failover to a standby that was behind. */
async function setBack(url: string, copy: string): Promise<void> {
  const server = new URL(url);
  server.pathname = "/postgres";
  const [name, other] = [nameOf(url), nameOf(copy)];
  await runSql(server.href, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await runSql(
    server.href,
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
  await runSql(server.href, `ALTER DATABASE ${name} RENAME TO ${name}_ahead`);
  await runSql(server.href, `ALTER DATABASE ${other} RENAME TO ${name}`);
  await runSql(server.href, `DROP DATABASE ${name}_ahead`);
  // For the end of the test, which drops both.
  await runSql(server.href, `CREATE DATABASE ${other}`);
}

const findStopped = (url: string) =>
  waitFor("the log's stop", async () => {
    const [head] = await query<{ reason: string | null }>(
      url,
      "SELECT stopped_reason AS reason FROM log_heads",
    );
    return head?.reason ?? undefined;
  });

describe("a log whose database lost entries", () => {
  it("is not signed by nodes that have seen them, and by no other node from then on", async () => {
    const { world, site } = await openFilled(3, 0);
    await using _world = world;
    const copy = await world.copy();
    await using service = await world.open();
    const here = { ...site, address: service.url };
    await fill(here, 4);
    const size = sizeOf(await readCheckpoint(service.url));
    await setBack(world.databaseUrl, copy);
    const reason = await findStopped(world.databaseUrl);
    assert.equal(reason, `The log has ${size - 4} entries, but had ${size}.`);
    assert.ok(service.lines.some((line) => line.includes('"msg":"log stopped')));

    await using another = await world.open();
    await assert.rejects(
      Promise.race([
        fill({ ...site, address: another.url }, 2),
        delay(3 * SECOND_MS).then(() => Promise.reject(new Error("not in the log"))),
      ]),
      /not in the log/,
    );
    assert.equal(sizeOf(await readCheckpoint(another.url)), size - 4);
  });

  it("is not signed in a new timeline if a witness has seen more", async () => {
    const { world, site, key } = await openFilled(3, 0);
    await using _world = world;
    const copy = await world.copy();
    await using witness = await openWitness("witness.example/fork", { origin, key });
    const env = { EVIDENCE_WITNESSES: witness.setting };
    {
      await using service = await world.open(undefined, env);
      const here = { ...site, address: service.url };
      await fill(here, 4);
      await waitFor("the cosignature", async () => {
        const size = sizeOf(await readCheckpoint(service.url));
        return witness.seen.size === size || undefined;
      });
    }
    await query(copy, "UPDATE log_heads SET timeline = 'before'");
    const before = sizeOf(
      (await query<{ checkpoint: string }>(copy, "SELECT checkpoint FROM log_heads"))[0]
        ?.checkpoint ?? "",
    );
    await using service = await world.open(copy, env);
    const reason = await findStopped(copy);
    assert.equal(
      reason,
      `The log has ${before} entries, but the witness witness.example/fork has seen ${witness.seen.size}.`,
    );
    assert.equal(sizeOf(await readCheckpoint(service.url)), before);
  });
});

describe("a log whose database has a new timeline", () => {
  it("is not signed until a witness has confirmed the last tree", async () => {
    const { world, site, key } = await openFilled(3, 0);
    await using _world = world;
    await query(world.databaseUrl, "UPDATE log_heads SET timeline = 'before'");
    await using witness = await openWitness("witness.example/moved", { origin, key });
    witness.mood = "away";
    await using service = await world.open(undefined, { EVIDENCE_WITNESSES: witness.setting });
    await waitFor(
      "the log to wait",
      async () =>
        service.lines.some((line) => line.includes("log waits for a witness")) || undefined,
    );
    const filled = fill({ ...site, address: service.url }, 2);
    assert.equal(await Promise.race([filled, delay(2 * SECOND_MS, "waits")]), "waits");
    witness.mood = "well";
    await filled;
  });

  it("continues without witnesses, if the tree extends the one that the node knows", async () => {
    const { world, site } = await openFilled(3, 0);
    await using _world = world;
    await using service = await world.open();
    const here = { ...site, address: service.url };
    await fill(here, 300);
    await query(
      world.databaseUrl,
      "CREATE OR REPLACE FUNCTION find_timeline() RETURNS text LANGUAGE sql AS $$SELECT 'after'$$",
    );
    await fill(here, 2);
    const [head] = await query<{ timeline: string }>(
      world.databaseUrl,
      "SELECT timeline FROM log_heads",
    );
    assert.equal(head?.timeline, "after");
  });
});

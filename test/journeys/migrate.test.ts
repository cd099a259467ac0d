import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { Client } from "pg";
import { runAvow, runProgram } from "../command.ts";
import { openTestDatabase } from "../database.ts";

const main = join(import.meta.dirname, "../../packages/server/main.ts");
const dataDir = await mkdtemp(join(tmpdir(), "avow-migrate-"));
after(() => rm(dataDir, { recursive: true }));

const toResult = (out: string): string =>
  out
    .replace("Migrating the database …", "")
    .trim()
    .replace(/^\d+ migrations applied: .*/, "applied");
const toEnv = (url: string) => ({ DATABASE_URL: url, DATA_DIR: dataDir, PORT: "0" });

async function connect(url: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

describe("avow migrate", () => {
  it("migrates an empty database once, also when two run at the same time", async () => {
    await using database = await openTestDatabase({ isEmpty: true });
    const env = toEnv(database.url);
    const ends = await Promise.all([1, 2].map(() => runAvow(["migrate"], { env })));
    for (const { code, err } of ends) assert.equal(code, 0, err);
    assert.deepEqual(
      new Set(ends.map(({ out }) => toResult(out))),
      new Set(["The database is already at this version.", "applied"]),
    );
    await using client = await connect(database.url);
    const { rows } = await client.query(
      "SELECT to_regclass('consents') AS consents, to_regclass('pgboss.job') AS jobs",
    );
    assert.deepEqual(rows, [{ consents: "consents", jobs: "pgboss.job" }]);
  });

  it("changes nothing when it is interrupted while it waits", async () => {
    await using database = await openTestDatabase({ isEmpty: true });
    await using client = await connect(database.url);
    await client.query("BEGIN");
    await client.query("CREATE TABLE kysely_migration (name text)");
    const { code } = await runAvow(["migrate"], {
      env: toEnv(database.url),
      onOutput: ({ out }, interrupt) => {
        if (out.includes("Migrating")) interrupt();
      },
    });
    assert.equal(code, 130);
    await client.query("ROLLBACK");
    const { rows } = await client.query("SELECT to_regclass('consents') AS consents");
    assert.deepEqual(rows, [{ consents: null }]);
  });

  it("checks all settings first", async () => {
    const { code, err } = await runAvow(["migrate"], {
      env: { ...toEnv("postgresql://127.0.0.1:1/none"), LOG_LEVEL: "loud" },
    });
    assert.equal(code, 2);
    assert.match(err, /LOG_LEVEL: expected one of/);
  });

  it("explains that the database does not respond, also for a name with several addresses", async () => {
    for (const host of ["127.0.0.1", "localhost"]) {
      const { code, err } = await runAvow(["migrate"], {
        env: toEnv(`postgresql://${host}:1/none`),
      });
      assert.equal(code, 1);
      assert.match(
        err,
        /^The database failed: the server does not respond \(connect ECONNREFUSED .*\)\.\n$/,
      );
    }
  });

  it("is required where MIGRATE_AT_START is off", async () => {
    await using database = await openTestDatabase({ isEmpty: true });
    const env = { ...toEnv(database.url), MIGRATE_AT_START: "off" };
    const { code, err } = await runProgram(main, [], { env });
    assert.equal(code, 1);
    assert.match(
      err,
      /The database lacks \d+ migrations of this version\. Run avow migrate, or set/,
    );
    await using client = await connect(database.url);
    const { rows } = await client.query("SELECT to_regclass('consents') AS consents");
    assert.deepEqual(rows, [{ consents: null }]);
  });
});

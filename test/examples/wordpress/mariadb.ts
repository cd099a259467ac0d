import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { poll } from "../../poll.ts";

const START_MS_MAX = 60_000;
export const mariadbd = "/usr/sbin/mariadbd";

/** A MariaDB of its own, without a port and without a password. */
export interface MariaDb extends AsyncDisposable {
  /** The path of the socket. */
  socket: string;
  /** Runs a statement in the database `wordpress`; returns its lines, with tabs between the columns. */
  query: (sql: string) => Promise<string>;
}

/** Starts MariaDB on a new folder, with an empty database `wordpress`; disposing deletes the folder. */
export async function openMariaDb(): Promise<MariaDb> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "avow-mariadb-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const { username } = userInfo();
  const data = join(folder, "data");
  const socket = join(folder, "socket");
  await promisify(execFile)("mariadb-install-db", [
    "--no-defaults",
    `--datadir=${data}`,
    `--user=${username}`,
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
  ]);
  const child = spawn(
    mariadbd,
    [
      "--no-defaults",
      `--datadir=${data}`,
      `--socket=${socket}`,
      `--pid-file=${join(folder, "pid")}`,
      `--user=${username}`,
      "--skip-networking",
      "--innodb-flush-log-at-trx-commit=0",
      "--innodb-buffer-pool-size=32M",
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = once(child, "exit");
  opened.defer(async () => {
    if (child.exitCode === null) child.kill("SIGTERM");
    await ended;
  });
  await poll({
    read: () => child.exitCode !== null || isOpen(socket),
    isRight: Boolean,
    waitMs: START_MS_MAX,
    toMessage: () => `MariaDB is not ready: ${output}`,
  });
  if (child.exitCode !== null) throw new Error(`MariaDB ended: ${output}`);
  const run = async (...args: string[]): Promise<string> => {
    const client = ["--no-defaults", `--socket=${socket}`, "--user=root", "--skip-column-names"];
    return (await promisify(execFile)("mariadb", [...client, ...args])).stdout;
  };
  await run("--execute=CREATE DATABASE wordpress");
  const query = (sql: string) => run("--database=wordpress", `--execute=${sql}`);
  const resources = opened.move();
  return { socket, query, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

function isOpen(socket: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const connection = connect(socket)
    .on("connect", () => resolve(true))
    .on("error", () => resolve(false));
  return promise.finally(() => connection.destroy());
}

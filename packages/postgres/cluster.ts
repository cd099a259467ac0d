import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, open, readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Binaries, childEnvironment } from "./binaries.ts";
import { PostgresError } from "./errors.ts";

const PASSWORD_FILE = "avow.password";
const FRESH_PREFIX = "postgres.new-";
const INIT_TIMEOUT_MS = 120_000;
const VERSION_TIMEOUT_MS = 10_000;
const runFile = promisify(execFile);

/** A database cluster on disk. */
export interface Cluster {
  folder: string;
  /** The password of the role `avow`, which owns the database `avow`. */
  password: string;
}

/** Opens the cluster in `dataDir`, creating it if necessary. The caller owns `dataDir`. */
export async function getCluster(binaries: Binaries, dataDir: string): Promise<Cluster> {
  const folder = join(dataDir, "postgres");
  const made = await stat(folder).catch(() => undefined);
  if (!made) await createCluster(binaries, dataDir, folder);
  else if (process.getuid && made.uid !== process.getuid()) {
    throw new PostgresError(
      `The folder ${folder} belongs to the user with id ${made.uid}. Run the service as that user.`,
    );
  } else await assertOwnCluster(binaries, folder);
  return { folder, password: (await readFile(join(folder, PASSWORD_FILE), "utf8")).trim() };
}

/** Throws unless this service created the cluster in `folder`, with this major version of PostgreSQL. */
async function assertOwnCluster(binaries: Binaries, folder: string): Promise<void> {
  const readText = (name: string) => readFile(join(folder, name), "utf8").catch(() => "");
  const [version, password, own] = await Promise.all([
    readText("PG_VERSION").then((text) => text.trim()),
    readText(PASSWORD_FILE),
    readMajorVersion(binaries),
  ]);
  if (version === "" || password === "") {
    const lacking = version === "" ? "PG_VERSION" : PASSWORD_FILE;
    throw new PostgresError(
      `The folder ${folder} is not an Avow database: ${lacking} is missing. Set DATA_DIR to another folder, or move this folder.`,
    );
  }
  if (version !== own) {
    throw new PostgresError(
      `The folder ${folder} contains a PostgreSQL ${version} database; this version of Avow includes PostgreSQL ${own}. Back it up with the version of Avow that created it (avow backup), and restore that into another DATA_DIR (docs/guides/upgrade.md).`,
    );
  }
}

/** Such as "18": clusters of one major version have the same format. */
async function readMajorVersion(binaries: Binaries): Promise<string> {
  const options = { env: childEnvironment, timeout: VERSION_TIMEOUT_MS };
  const { stdout } = await runFile(binaries.postgres, ["--version"], options);
  return /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1] ?? "";
}

/**
 * Creates a cluster atomically: in a temporary folder, which is synced and renamed. Leftovers of an earlier
 * attempt are removed.
 */
async function createCluster(binaries: Binaries, dataDir: string, folder: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(FRESH_PREFIX))
      await rm(join(dataDir, name), { recursive: true, maxRetries: 5 });
  }
  const fresh = await mkdtemp(join(dataDir, FRESH_PREFIX));
  await fillCluster(binaries, fresh);
  await rename(fresh, folder);
  await syncFolder(dataDir);
}

async function fillCluster(binaries: Binaries, fresh: string): Promise<void> {
  const access = ["-U", "postgres", "--auth=reject"];
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin"];
  const args = ["-D", fresh, ...access, ...locale, "--builtin-locale=C.UTF-8"];
  await run(binaries, binaries.initdb, args);
  const password = randomBytes(24).toString("base64url");
  await createRole(binaries, fresh, password);
  await writeSynced(join(fresh, "pg_hba.conf"), "local all avow scram-sha-256\n");
  await writeSynced(join(fresh, PASSWORD_FILE), `${password}\n`);
  await syncFolder(fresh);
}

/**
 * Creates the service's role, without privileges, as on an external server. Nobody can sign in as the superuser;
 * an operator, and this function, use single-user mode.
 */
async function createRole(binaries: Binaries, folder: string, password: string): Promise<void> {
  const statements = [
    `CREATE ROLE avow LOGIN CREATEDB PASSWORD '${password}';`,
    "CREATE DATABASE avow OWNER avow;",
  ];
  const quiet = ["-c", "log_min_messages=error", "-c", "log_min_error_statement=panic"];
  const args = ["--single", "-j", "-D", folder, ...quiet, "postgres"];
  const output = await run(binaries, binaries.postgres, args, `${statements.join("\n\n")}\n\n`);
  // Single-user mode exits with status 0 even if statements fail.
  if (/ERROR|FATAL|PANIC/.test(output))
    throw new PostgresError(`PostgreSQL could not be set up: ${output.trim()}`);
}

/** Runs one of PostgreSQL's programs; returns its standard error. */
function run(binaries: Binaries, program: string, args: string[], input = ""): Promise<string> {
  const [file = program, ...rest] = [...binaries.prefix, program, ...args];
  const options = { env: childEnvironment, timeout: INIT_TIMEOUT_MS, maxBuffer: 1024 * 1024 };
  return new Promise((resolve, reject) => {
    const child = execFile(file, rest, options, (error, _stdout, stderr) => {
      if (error)
        reject(
          new PostgresError(`PostgreSQL could not be set up: ${stderr.trim() || error.message}`),
        );
      else resolve(stderr);
    });
    // A program that exits before it has read its input reports the reason by its status.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}

async function writeSynced(file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600, flush: true });
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder);
  await handle.sync();
}

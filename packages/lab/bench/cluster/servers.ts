import { randomBytes } from "node:crypto";
import { lookup } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { ask } from "../measure/database.ts";

const PORT_DEFAULT = 5432;

/** A PostgreSQL server of the data plane. */
interface Server {
  /** A database of it to connect to. */
  url: string;
  host: string;
  port: number;
  /** The process that all others of the server descend from; undefined on another machine. */
  postmaster: number | undefined;
}

/** The servers of a data plane: one alone, or the coordinator of a Citus cluster with its workers. */
export interface Cluster {
  version: string;
  hasCitus: boolean;
  coordinator: Server;
  workers: readonly Server[];
}

/** Reads the servers at `url`, a database of a PostgreSQL or of the coordinator of a Citus cluster. */
export async function readCluster(url: string): Promise<Cluster> {
  const [own] = await ask<{ version: string; citus: string | null }>(
    url,
    `SELECT current_setting('server_version') AS version,
      (SELECT extversion FROM pg_extension WHERE extname = 'citus') AS citus`,
  ).catch((error: Error) => {
    throw new Error(`--url: ${new URL(url).host} was not reached: ${error.message}`);
  });
  const major = `PostgreSQL ${/^\d+/.exec(own?.version ?? "")?.[0] ?? "?"}`;
  const coordinator = await toServer(url);
  const citus = own?.citus ?? null;
  if (citus === null) return { version: major, hasCitus: false, coordinator, workers: [] };
  const nodes = await ask<{ host: string; port: number }>(
    url,
    `SELECT nodename AS host, nodeport AS port FROM pg_catalog.pg_dist_node
    WHERE isactive AND noderole = 'primary' AND groupid > 0 ORDER BY nodeid`,
  );
  const workers = await Promise.all(
    nodes.map(({ host, port }) => {
      const worker = new URL(url);
      [worker.hostname, worker.port] = [host, String(port)];
      return toServer(worker.href);
    }),
  );
  return { version: `Citus ${citus} on ${major}`, hasCitus: true, coordinator, workers };
}

async function toServer(url: string): Promise<Server> {
  const { hostname: host, port } = new URL(url);
  const server = { url, host, port: Number(port || PORT_DEFAULT) };
  return { ...server, postmaster: await findPostmaster(server) };
}

/** PostgreSQL, "postmaster.pid": the process is in the first line, its port in the fourth. */
async function findPostmaster({ url, host, port }: Omit<Server, "postmaster">) {
  if (!(await isThisMachine(host))) return undefined;
  const [row] = await ask<{ folder: string }>(
    url,
    "SELECT current_setting('data_directory') AS folder",
  ).catch(() => []); // Needs pg_read_all_settings.
  const file = join(row?.folder ?? "", "postmaster.pid");
  const lines = (await readFile(file, "utf8").catch(() => "")).split("\n");
  return Number(lines[3]) === port ? Number(lines[0]) : undefined;
}

async function isThisMachine(host: string): Promise<boolean> {
  const found = await lookup(host, { all: true }).catch(() => []);
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return found.some(({ address }) => own.some((one) => one.address === address));
}

/** A database of its own on the servers of a cluster. Disposal drops it on all of them. */
export interface DataPlane extends AsyncDisposable {
  url: string;
  /** The servers with the URL of the database. */
  servers: readonly Server[];
}

/** Creates a database on the coordinator and on the first `count` workers, which then know each other in it. */
export async function createDataPlane(cluster: Cluster, count: number): Promise<DataPlane> {
  await using created = new AsyncDisposableStack();
  const name = `avow_bench_${randomBytes(6).toString("hex")}`;
  const { coordinator } = cluster;
  const workers = cluster.workers.slice(0, count);
  const servers: Server[] = [];
  for (const server of [coordinator, ...workers]) {
    await ask(server.url, `CREATE DATABASE ${name}`);
    created.defer(async () => {
      await ask(server.url, `DROP DATABASE ${name} WITH (FORCE)`);
    });
    const own = new URL(server.url);
    own.pathname = `/${name}`;
    servers.push({ ...server, url: own.href });
    // Counts the groups; only superusers and those who were granted it may.
    await ask(server.url, `ALTER DATABASE ${name} SET track_functions = 'pl'`).catch(ignoreDenied);
    if (cluster.hasCitus) await ask(own.href, "CREATE EXTENSION citus");
  }
  const url = servers[0]?.url ?? "";
  if (cluster.hasCitus)
    await ask(url, "SELECT citus_set_coordinator_host($1, $2)", [
      coordinator.host,
      coordinator.port,
    ]);
  for (const { host, port } of workers)
    await ask(url, "SELECT citus_add_node($1, $2)", [host, port]);
  const kept = created.move();
  return { url, servers, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** PostgreSQL, "Error Codes": 42501 is insufficient_privilege. */
function ignoreDenied(error: Error & { code?: string }): void {
  if (error.code !== "42501") throw error;
}

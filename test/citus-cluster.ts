import { Client } from "pg";
import { toDatabaseUrl } from "./database-urls.ts";

/** The code of CREATE DATABASE while its template has connections. */
const IN_USE = "55006";
const ATTEMPTS_MAX = 40;
const PAUSE_MS = 250;

/** A Citus cluster whose databases are created on all nodes alike. */
export interface CitusCluster {
  /** URLs of databases to connect to: the coordinator first, then the workers. */
  nodeUrls: readonly string[];
}

/** Reads the nodes of the cluster at `url`, a database of its coordinator. Throws if it is none. */
export async function readCluster(url: string): Promise<CitusCluster> {
  const rows = await query<{ host: string; port: number }>(
    url,
    `SELECT nodename AS host, nodeport AS port FROM pg_catalog.pg_dist_node
    WHERE isactive AND noderole = 'primary' AND groupid > 0 ORDER BY nodeport`,
  ).catch((error: Error) => {
    throw new Error(`CITUS_URL names no coordinator of a Citus cluster: ${error.message}`);
  });
  if (rows.length === 0) throw new Error("The coordinator at CITUS_URL has no workers.");
  const workers = rows.map(({ host, port }) => {
    const worker = new URL(url);
    [worker.hostname, worker.port] = [host, String(port)];
    return worker.href;
  });
  return { nodeUrls: [url, ...workers] };
}

/** Creates a database on all nodes. A template must have no connections besides those of Citus. */
export async function createOnNodes(
  { nodeUrls }: CitusCluster,
  name: string,
  template?: string,
): Promise<void> {
  const source = template === undefined ? "" : ` TEMPLATE ${template} STRATEGY FILE_COPY`;
  await Promise.all(
    nodeUrls.map((url) => retryInUse(() => query(url, `CREATE DATABASE ${name}${source}`))),
  );
}

export async function dropOnNodes({ nodeUrls }: CitusCluster, name: string): Promise<void> {
  for (const url of nodeUrls) await query(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/** Has all nodes of the cluster know each other in the database. */
export async function connectNodes({ nodeUrls }: CitusCluster, name: string): Promise<void> {
  const [coordinator = "", ...workers] = nodeUrls;
  for (const url of nodeUrls) await query(toDatabaseUrl(url, name), "CREATE EXTENSION citus");
  const own = toDatabaseUrl(coordinator, name);
  const { hostname, port } = new URL(coordinator);
  await query(own, "SELECT citus_set_coordinator_host($1, $2)", [hostname, Number(port || 5432)]);
  for (const worker of workers) {
    const { hostname: host, port: on } = new URL(worker);
    await query(own, "SELECT citus_add_node($1, $2)", [host, Number(on || 5432)]);
  }
}

/** Ends the connections of Citus to a database on all nodes, and prevents others, so that it can be copied. */
export async function closeTemplate({ nodeUrls }: CitusCluster, name: string): Promise<void> {
  for (const url of nodeUrls) {
    await query(url, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await query(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [
      name,
    ]);
  }
}

async function retryInUse(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || (error as { code?: string }).code !== IN_USE) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

async function query<Row extends object>(
  url: string,
  text: string,
  values?: readonly unknown[],
): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(text, values && [...values]);
    return rows;
  } finally {
    await client.end();
  }
}

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../instance/service.ts";
import { ask } from "../measure/database.ts";
import { NAME, type RequestSource, countNames, newRun, repeat } from "../measure/requests.ts";
import type { Bench } from "../measure/run.ts";
import { type BenchService, openAvow } from "../measure/service.ts";
import { readBenchShop, setUpShop } from "../measure/site.ts";
import { type Project, setUpProjects, toBody } from "../scale/projects.ts";
import { type Cluster, type DataPlane, createDataPlane } from "./servers.ts";

const DISTRIBUTE_TIMEOUT_MS = 10 * 60_000;
const answers = ["all", "none", "half", "three"] as const;

/** A data plane with published projects, and the service on it, which is started for each measurement. */
export interface Party {
  title: string;
  /** Number of workers; undefined without Citus. */
  workers: number | undefined;
  plane: DataPlane;
  buckets: number;
  open: () => Promise<BenchService>;
  /** Creates requests of new visitors of the first `count` projects in rotation. */
  createSource: (url: string, count: number) => RequestSource;
}

interface PartyOptions {
  cluster: Cluster;
  /** Number of workers to use. */
  workers: number;
  /** Database of the control plane. */
  controlUrl: string;
  projects: number;
  /** Number of buckets; undefined: as many as `avow db distribute` creates. */
  buckets: number | undefined;
}

/** Creates a data plane, distributes it, and publishes projects that are placed in its buckets. */
export async function setUpParty({ folder, opened }: Bench, given: PartyOptions): Promise<Party> {
  const { cluster, workers, controlUrl, projects: count, buckets } = given;
  const amount = workers === 1 ? "1 worker" : `${workers} workers`;
  const title = cluster.hasCitus ? `Citus, ${amount}` : cluster.version;
  const say = (text: string) => process.stderr.write(`  ${title}: ${text} …\n`);
  say("setting up");
  const plane = opened.use(await createDataPlane(cluster, workers));
  const open = () =>
    openAvow(join(folder, title), controlUrl, { CONSENTS_DATABASE_URL: plane.url });
  await using avow = await open();
  say("distributing");
  await distribute({ controlUrl, dataUrl: plane.url, buckets });
  say(`publishing ${count} projects`);
  const { client, token } = await setUpShop(avow.url);
  const shop = { ...(await readBenchShop()), processings: [], contracts: [] };
  const projects = await setUpProjects(client.withToken(token), shop, count);
  const [found] = await ask<{ count: number }>(
    plane.url,
    "SELECT count(*)::int AS count FROM buckets WHERE takes_projects",
  );
  return {
    title,
    workers: cluster.hasCitus ? workers : undefined,
    plane,
    buckets: found?.count ?? 0,
    open,
    createSource: (url, used) => createSource(url, projects.slice(0, used)),
  };
}

async function distribute(given: {
  controlUrl: string;
  dataUrl: string;
  buckets: number | undefined;
}): Promise<void> {
  const { controlUrl, dataUrl, buckets } = given;
  const program = join(root, "packages/server/commands/avow.ts");
  const amount = buckets === undefined ? [] : ["--buckets", String(buckets)];
  const env = {
    PATH: process.env["PATH"],
    DATABASE_URL: controlUrl,
    CONSENTS_DATABASE_URL: dataUrl,
  };
  await promisify(execFile)(process.execPath, [program, "db", "distribute", "--quiet", ...amount], {
    env,
    timeout: DISTRIBUTE_TIMEOUT_MS,
  });
}

function createSource(base: string, projects: readonly Project[]): RequestSource {
  const requests = answers.flatMap((answer) =>
    projects.flatMap(({ id, forms: [form] }) => {
      if (!form) throw new Error(`Project ${id} has no cookie configuration.`);
      const url = `${base}/v1/app/consents/${id}/cookies/${form.identifier}`;
      const headers = { "idempotency-key": NAME };
      return [{ method: "POST", url, headers, json: toBody(form, answer) } as const];
    }),
  );
  return repeat(requests, countNames(newRun()));
}

// The service side of the kit: two nodes, a witness, a receiver of webhooks, and two published projects.
import { randomBytes, randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import { toNoteKey } from "../../packages/server/modules/evidence/log/note.ts";
import { findFreePort } from "../../packages/server/platform/ports.ts";
import { serviceFlags } from "../../packages/server/service-flags.mjs";
import { makeProject, send } from "../faults/requests.ts";
import { type TestWitness, openWitness } from "../log/witness.ts";
import { type Receiver, openReceiver } from "../stand-ins/receiver.ts";
import type { Cluster } from "./cluster.ts";
import { type Program, toProgram, waitFor } from "./processes.ts";

const root = resolve(import.meta.dirname, "../..");
const ORIGIN = "consent.example/log";

export interface ServiceNode {
  url: string;
  program: Program;
  waitUntilReady(): Promise<void>;
}

/** A project whose banner can be answered. */
interface Target {
  projectId: string;
  path: string;
}

export interface Site extends AsyncDisposable {
  nodes: readonly ServiceNode[];
  witness: TestWitness;
  receiver: Receiver;
  /** The token of the projects' owner. */
  token: string;
  /** Most consents go here. */
  main: Target;
  /** A project with a webhook for each consent. */
  watched: Target;
}

/** Starts both nodes on the cluster, and publishes the projects. */
export async function openSite(
  cluster: Cluster,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<Site> {
  await using opened = new AsyncDisposableStack();
  const seed = randomBytes(32);
  const { verifier } = toNoteKey(ORIGIN, seed);
  const witness = opened.use(
    await openWitness("witness.example/ha", { origin: ORIGIN, key: verifier }),
  );
  const receiver = opened.use(await openReceiver());
  const env = {
    ...process.env,
    HOST: "127.0.0.1",
    DATABASE_URL: cluster.url,
    DATABASE_POOLING: "transaction",
    DATA_DIR: join(folder, "data"),
    PUBLIC_URL: "https://consent.example",
    SECRET_KEY: randomBytes(32).toString("hex"),
    EVIDENCE_LOG_KEYS: seed.toString("base64"),
    EVIDENCE_WITNESSES: witness.setting,
    WEBHOOKS_ALLOWED_NETWORKS: "127.0.0.0/8",
    LOG_FORMAT: "json",
  };
  const nodes: ServiceNode[] = [];
  for (const number of [1, 2]) {
    const node = await toNode(number, { folder, env, signal });
    opened.defer(() => node.program.stop("SIGKILL"));
    node.program.start();
    await node.waitUntilReady();
    nodes.push(node);
  }
  const url = nodes[0]?.url ?? "";
  const json = { email: `${randomUUID()}@example.org`, password: "correct horse" };
  const { token } = await send<{ token: string }>(`${url}/v1/auth/local/signup`, { json });
  const main = await openTarget(url, token, "Shop");
  const watched = await openTarget(url, token, "Watched shop");
  await send(`${url}/v1/webhooks`, {
    token,
    json: { projectId: watched.projectId, url: receiver.url, events: ["consent.created"] },
  });
  const owned = opened.move();
  return {
    nodes,
    witness,
    receiver,
    token,
    main,
    watched,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function toNode(
  number: number,
  { folder, env, signal }: { folder: string; env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<ServiceNode> {
  const port = await findFreePort("127.0.0.1");
  const url = `http://127.0.0.1:${port}`;
  const command = [process.execPath, ...serviceFlags, join(root, "packages/server/main.ts")];
  const program = toProgram(command, {
    logFile: join(folder, `node${number}.log`),
    env: { ...env, PORT: String(port) },
    cwd: root,
    isKept: true,
  });
  const waitUntilReady = async (): Promise<void> =>
    void (await waitFor(
      `node ${number}`,
      async () => {
        const timeout = AbortSignal.timeout(1_000);
        const { ok } = await fetch(`${url}/health/ready`, { signal: timeout });
        return ok || undefined;
      },
      { signal },
    ));
  return { url, program, waitUntilReady };
}

async function openTarget(url: string, token: string, title: string): Promise<Target> {
  const projectId = await makeProject(url, token, title);
  const [banner] = await send<{ id: string }[]>(`${url}/v1/vault/cookies?projectId=${projectId}`, {
    token,
  });
  const job = await startPublication({ url, token, projectId });
  await waitForPublication({ url, token, job });
  return { projectId, path: `/v1/app/consents/${projectId}/cookies/${banner?.id}` };
}

/** Requests a publication, with retries; returns the id of its job. */
export async function startPublication(given: {
  url: string;
  token: string;
  projectId: string;
}): Promise<string> {
  const { url, token, projectId } = given;
  const json = { force: true };
  return waitFor("a publication's job", async () => {
    const path = `${url}/v1/publish/jobs/${projectId}`;
    return (await send<{ id: string }>(path, { token, json })).id;
  });
}

/** Waits until the job has published. Throws when it failed. */
export async function waitForPublication(given: {
  url: string;
  token: string;
  job: string;
}): Promise<void> {
  const { url, token, job } = given;
  const status = await waitFor("a publication", async () => {
    const found = await send<{ status: string }>(`${url}/v1/publish/jobs/${job}`, { token });
    return ["Done", "Error"].includes(found.status) ? found.status : undefined;
  });
  if (status !== "Done") throw new Error(`The publication ended with ${status}.`);
}

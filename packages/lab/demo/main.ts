// npm run demo: the main use case over HTTP, with a running service or one that it starts.
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { loadConfig, withPort } from "../../server/config/config.ts";
import { chooseDemoProject } from "../../server/commands/demo-project.ts";
import { toDemoRun } from "../../server/modules/demo/command.ts";
import { isLoopback } from "../../server/platform/networks.ts";
import { findFreePort } from "../../server/platform/ports.ts";
import { FolderInUseError, lockFolder } from "@avow/postgres/owner";
import { listenForStop } from "../../server/platform/stop-signals.ts";
import { printHeading, step, styled } from "./progress.ts";
import { showResults } from "./results.ts";
import { type Account, type Site, setUpSite } from "./setup.ts";
import { readShop } from "./shop.ts";
import { collectConsents, openPersonPage } from "./visitors.ts";
import { type Client, createClient, toReasonOf } from "../instance/requests.ts";
import { type ChildService, ServiceEndedError, openService, root } from "../instance/service.ts";

const OWNER_WAIT_MS = 20_000;
const OWNER_POLL_MS = 200;

const help = `Usage: ${toDemoRun("[options] [configuration.json]")}

Runs the main use case over HTTP: signs up, configures, publishes, collects consents of
several visitors, and prints state, history and the tokens that accepted.

Uses the service at PUBLIC_URL, or at http://127.0.0.1:PORT (8080 by default). If none
runs there, starts one and keeps it running, so that you can open /demo.

  configuration.json   a project and its configurations (default: examples/shop.json)
  --once               stop the started service at the end, and exit
  --email, --password  use this account, and update its demo project; by default each
                       run creates a new user, whose password is not stored, and is
                       printed only if the service runs on this machine
  -h, --help           print this text

/demo shows the project of the last run. The command writes this to the database, which
no account can: run it with the DATA_DIR or DATABASE_URL of the service.
`;

interface Options {
  file: string;
  once: boolean;
  account: Account | undefined;
}

const options = readOptions(process.argv.slice(2));
process.exitCode = typeof options === "number" ? options : await main(options);

/** The options, or the exit status if there is nothing to do. */
function readOptions(args: string[]): Options | number {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        once: { type: "boolean", default: false },
        email: { type: "string" },
        password: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) {
      process.stdout.write(help);
      return 0;
    }
    const { email, password } = values;
    if ((email === undefined) !== (password === undefined))
      throw new Error("--email and --password belong together.");
    if (positionals.length > 1) throw new Error("One configuration file at a time.");
    // npm runs scripts in the package's folder, but paths are relative to the folder of the caller.
    const from = process.env["INIT_CWD"] ?? process.cwd();
    const [file] = positionals;
    return {
      file: file === undefined ? join(root, "examples", "shop.json") : resolve(from, file),
      once: values.once,
      account: email === undefined || password === undefined ? undefined : { email, password },
    };
  } catch (error) {
    console.error(`${toReasonOf(error)}\nSee: ${toDemoRun("--help")}`);
    return 2;
  }
}

/** Returns the exit status of the process. */
async function main({ file, once, account }: Options): Promise<number> {
  const stop = listenForStop({ info: () => {}, warn: () => {} });
  try {
    const shop = await readShop(file);
    await using opened = new AsyncDisposableStack();
    const { client, started } = await findOrStart(stop.signal);
    if (started) opened.use(started);
    const site = await setUpSite(client, shop, account);
    const problem = await putOnPage(site);
    const visited = await collectConsents(site);
    const proof = await showResults(site, visited);
    // A service that stops now cannot be visited.
    const visitor = visited.at(-1)?.token ?? "";
    if (!(started && once)) await printNext(site, { proof, visitor, problem, isGiven: !!account });
    if (!started) return 0;
    if (once) {
      await opened.disposeAsync();
      console.log("The service that the demo started has stopped.");
      return 0;
    }
    console.log(
      `The service keeps running at ${client.url}. ${styled("bold", "Ctrl-C")} stops it.`,
    );
    await Promise.race([stop.requested, started.exited]);
    return stop.signal.aborted ? 0 : 1;
  } catch (error) {
    if (stop.signal.aborted) return 130;
    console.error(`\n  ${styled("red", "✗")} ${toReasonOf(error)}`);
    return 1;
  }
}

async function findOrStart(
  signal: AbortSignal,
): Promise<{ client: Client; started?: ChildService }> {
  const loaded = loadConfig();
  const { host, port } = loaded.config.http;
  const env = port === 0 ? withPort(await findFreePort(host)) : process.env;
  const { config } = port === 0 ? loadConfig(env) : loaded;
  const url = config.http.publicUrl;
  console.log("");
  const client = createClient(url, { signal });
  if (await answers(client)) {
    await step(async () => [`Found the service at ${url}`, undefined]);
    return { client };
  }
  if (!isLoopback(new URL(url).hostname))
    throw new Error(
      `Nothing answers at ${url}, and the demo starts services on this machine only.`,
    );
  try {
    return await step(async () => {
      const quiet = { LOG_LEVEL: "warn", LOG_FORMAT: "json", ...env };
      const started = await openService({ url, env: quiet, signal });
      return [`Started the service at ${url}`, { client, started }];
    });
  } catch (error) {
    if (!(error instanceof ServiceEndedError) || !(await isOwned(config.dataDir))) throw error;
    return waitForOwner(client, { error, signal });
  }
}

/** Whether another service uses the folder. It may be starting, or listen on another port. */
async function isOwned(dataDir: string): Promise<boolean> {
  try {
    (await lockFolder(dataDir))[Symbol.dispose]();
    return false;
  } catch (error) {
    if (error instanceof FolderInUseError) return true;
    throw error;
  }
}

async function waitForOwner(
  client: Client,
  { error, signal }: { error: ServiceEndedError; signal: AbortSignal },
): Promise<{ client: Client }> {
  const seconds = OWNER_WAIT_MS / 1_000;
  console.log(
    `  Another Avow has the data folder: waiting up to ${seconds} s for it at ${client.url} …`,
  );
  const until = performance.now() + OWNER_WAIT_MS;
  while (performance.now() < until) {
    if (await answers(client))
      return step(async () => [`Found the service at ${client.url}`, { client }]);
    await sleep(OWNER_POLL_MS, undefined, { signal });
  }
  throw new Error(
    `${error.message}\nIt does not answer at ${client.url}. If it listens elsewhere, name its port: PORT=… ${toDemoRun()}`,
    { cause: error },
  );
}

/** Whether the service is reachable; throws if another program responds. */
async function answers(client: Client): Promise<boolean> {
  let name: unknown;
  try {
    ({ name } = await client.send<{ name?: unknown }>("/v1"));
  } catch (error) {
    // `fetch` has the connection error in its cause.
    if (error instanceof TypeError && toReasonOf(error).includes("ECONNREFUSED")) return false;
    throw new Error(`${client.url} does not answer as Avow: ${toReasonOf(error)}`, {
      cause: error,
    });
  }
  if (name === "Avow") return true;
  throw new Error(`Something else than Avow answers at ${client.url}. Set PORT to a free one.`);
}

/** Shows the project at /demo. Returns the reason if the service's database is out of reach, as on another machine. */
async function putOnPage({ projectId }: Site): Promise<string | undefined> {
  try {
    return await step(async () => {
      await chooseDemoProject(projectId);
      return ["Put the project on /demo", undefined];
    });
  } catch (error) {
    return `does not show this project. ${toReasonOf(error)}`;
  }
}

/** How to sign in to the demo's project. A password is printed only for a service on this machine. */
function toSignIn({ account, client }: Site, isGiven: boolean): string {
  const { email, password } = account;
  if (isGiven) return `${email}, with the password that you gave`;
  if (isLoopback(new URL(client.url).hostname)) return `${email}, with the password ${password}`;
  return `by ${toDemoRun("--email … --password …")}, an account of your own`;
}

async function printNext(
  site: Site,
  given: { proof: string; visitor: string; problem: string | undefined; isGiven: boolean },
): Promise<void> {
  const { client, token, projectId, fileUrl } = site;
  const { proof, visitor, problem, isGiven } = given;
  const demo = `${client.url}/demo`;
  const page = await fetch(demo, { signal: AbortSignal.timeout(5_000) });
  await page.body?.cancel();
  const rows = [
    ["Demo page", page.ok ? (problem ?? demo) : "not served here: set DEMO=on"],
    ["Admin app", `${client.url}/admin`],
    ["Sign in there", toSignIn(site, isGiven)],
    ["Reference", `${client.url}/docs`],
    ["Published file", fileUrl],
    ["The last proof", `${proof}&format=pdf`],
    ["A visitor’s page", await openPersonPage(site, visitor)],
    ["Its verifier", `${client.url}/verify`],
    ["The user’s token", token],
  ];
  printHeading("Next steps");
  for (const [name = "", value = ""] of rows) console.log(`  ${name.padEnd(18)}${value}`);
  const bearer = `-H "Authorization: Bearer ${token}"`;
  console.log(`\n  curl ${bearer} \\\n    ${client.url}/v1/client/${projectId}/tokens\n`);
}

// npm run test:contract: sends the operations of the OpenAPI document to a fresh service through Prism,
// which validates each request and each answer against the document.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServerResponse, createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { randomBytes } from "node:crypto";
import { execFile } from "node:child_process";
import { inspect, promisify } from "node:util";
import { openService, root } from "../../packages/lab/instance/service.ts";
import { findFreePort } from "../../packages/server/platform/ports.ts";
import { listOperations, readOpenApi, writeWithControl } from "./document.ts";
import { type Violation, assertProxyValidates, createDriver } from "./driver.ts";
import { notCovered, notSent } from "./exceptions.ts";
import { openPrism } from "./prism.ts";
import { runScenario } from "./scenario.ts";

/** A page with a configuration of tarteaucitron. */
const oldConsentPage =
  '<!doctype html><html lang="en"><script>tarteaucitron.init({ privacyUrl: "" });</script>';

const OPERATIONS_MIN = 200;
const command = join(root, "packages/server/commands/avow.ts");
const execute = promisify(execFile);

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stopping.abort());
process.exitCode = await main();

async function main(): Promise<number> {
  const { signal } = stopping;
  await using opened = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), "avow-contract-"));
  opened.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const openApi = await readOpenApi();
  const file = join(dataDir, "openapi.json");
  await writeWithControl(openApi, file);
  const receiver = opened.use(await listen((response) => void response.end()));
  const silent = opened.use(await listen(() => undefined));
  const old = opened.use(await listen((response) => void response.end(oldConsentPage)));
  const [port, prismPort] = [await findFreePort("127.0.0.1"), await findFreePort("127.0.0.1")];
  const serviceUrl = `http://127.0.0.1:${port}`;
  const operatorToken = randomBytes(24).toString("base64url");
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: "127.0.0.1",
    PUBLIC_URL: serviceUrl,
    DATA_DIR: join(dataDir, "data"),
    LOG_LEVEL: "error",
    OPERATOR_TOKEN: operatorToken,
    WEBHOOKS_ALLOWED_NETWORKS: "127.0.0.0/8",
    // Chromium starts as root too, and visits only `silent`.
    CHROMIUM_SANDBOX: "off",
  };
  // One after the other: both take all of a small machine to start.
  opened.use(await openService({ url: serviceUrl, env, signal }));
  const prism = opened.use(
    await openPrism({ file, upstream: serviceUrl, port: prismPort, signal }),
  );
  await assertProxyValidates(prism.url);
  const driver = createDriver(openApi, prism.url);
  let failure: unknown;
  try {
    await runScenario({
      driver,
      serviceUrl,
      dataDir: join(dataDir, "data"),
      operatorToken,
      receiverUrl: receiver.url,
      silentUrl: silent.url,
      oldSiteUrl: old.url,
      createClaim: () => createClaim(env),
    });
  } catch (error) {
    failure = error;
  }
  const status = report(listOperations(openApi), driver.covered(), driver.violations());
  if (failure === undefined) return status;
  // Printed after the violations, which are usually its cause.
  print(`\nThe run stopped: ${failure instanceof Error ? failure.message : inspect(failure)}`);
  return 1;
}

/** A local server, and its address. */
async function listen(answer: (response: ServerResponse) => void) {
  const server = createServer((_, response) => answer(response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/`, [Symbol.dispose]: close };
}

/** Runs `avow claim` on the data of the service; the token is the fragment of the link that it prints. */
async function createClaim(env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await execute(process.execPath, [command, "claim"], { env });
  return /#(\S+)/.exec(stdout)?.[1] ?? "";
}

function report(
  operations: readonly string[],
  covered: ReadonlySet<string>,
  violations: readonly Violation[],
): number {
  const lines = violations.map(
    ({ operation, path, message }) => `✗ ${operation}: ${path} ${message}`,
  );
  const missing = operations.filter((operation) => !covered.has(operation));
  const withoutReason = missing.filter((operation) => notCovered[operation] === undefined);
  const stale = Object.keys(notCovered).filter((operation) => !missing.includes(operation));
  for (const operation of missing)
    print(`- ${operation}: ${notCovered[operation] ?? "not covered, and no reason is listed"}`);
  for (const operation of stale)
    print(`✗ ${operation} is covered or unknown: remove it from exceptions.ts.`);
  for (const [requests, reason] of Object.entries(notSent))
    print(`- not sent: ${requests}: ${reason}`);
  // Last, where the end of a log shows them.
  print([...new Set(lines)].join("\n"));
  print(
    `\n${covered.size} of ${operations.length} operations match the document, ${lines.length} violations`,
  );
  const isFine =
    violations.length + withoutReason.length + stale.length === 0 && covered.size >= OPERATIONS_MIN;
  return isFine ? 0 : 1;
}

function print(text: string): void {
  if (text !== "") process.stdout.write(`${text}\n`);
}

// npm run bench: request rate and latency of the service, compared with a bare route.
import { join } from "node:path";
import { toTable } from "../instance/table.ts";
import { readNumbers } from "./measure/arguments.ts";
import { openChild } from "./measure/children.ts";
import { type Measure, type Scenario, measure } from "./measure/load.ts";
import { readFacts, right, printFailures, toMs, toRate, toRatio } from "./measure/report.ts";
import { type RequestParts, repeat } from "./measure/requests.ts";
import { type Bench, runBench } from "./measure/run.ts";
import { openAvow } from "./measure/service.ts";
import { type Consent, type Site, setUpShop } from "./measure/site.ts";

const LIST_LENGTH = 100;
const SECONDS_DEFAULT = 5;
const help = `Usage: npm run bench -- [--seconds N]

Measures sign-in, vault reads and consent collection, next to a bare Fastify route that only
validates and responds. The service has its own database in a temporary folder, with production
durability. Stops every process and removes the folder at the end.

  --seconds N   duration of each measurement (default: ${SECONDS_DEFAULT})
  -h, --help    print this text
`;

const parsed = readNumbers({
  args: process.argv.slice(2),
  command: "bench",
  help,
  options: { seconds: { default: SECONDS_DEFAULT, min: 1, max: 3_600 } },
});
process.exitCode =
  "status" in parsed ? parsed.status : await runBench((bench) => main(bench, parsed.seconds));

async function main({ folder, opened }: Bench, each: number): Promise<number> {
  const facts = await readFacts();
  const service = opened.use(await openAvow(folder));
  const site = await setUpShop(service.url);
  const measures = [await measureBare(site.consents, each)];
  for (const scenario of await listScenarios(site)) {
    process.stderr.write(`  measuring ${scenario.title}, ${scenario.connections} …\n`);
    measures.push(await measure(scenario, each));
  }
  console.log(`\n${toResultTable(measures)}\n\n  ${facts}\n  ${toNotes(each)}\n`);
  return printFailures(measures) ? 1 : 0;
}

async function measureBare(consents: readonly Consent[], each: number): Promise<Measure> {
  await using child = await openChild(join(import.meta.dirname, "rivals", "bare.ts"));
  process.stderr.write("  measuring the bare route …\n");
  const url = `${child.url}/consents`;
  const parts = consents.map((json) => ({ method: "POST", url, json }) as const);
  return await measure(toScenario("Bare route", parts, { status: 201, connections: 16 }), each);
}

/** All measurements of the service. */
async function listScenarios(site: Site): Promise<Scenario[]> {
  const { client, token, projectId, identifier, account } = site;
  const { url } = client;
  for (let n = 0; n < LIST_LENGTH; n++)
    await client.withToken(token).send("/v1/vault/media", {
      json: { projectId, title: `Picture ${n}`, url: `https://shop.example/${n}.avif` },
    });
  const read = (path: string): RequestParts => ({
    method: "GET",
    url: url + path,
    headers: { authorization: `Bearer ${token}` },
  });
  const signIn = {
    method: "POST",
    url: `${url}/v1/auth/local/signin`,
    json: { username: account.email, password: account.password },
  } as const;
  const collect = site.consents.map((json) => {
    const path = `/v1/app/consents/${projectId}/cookies/${identifier}`;
    return { method: "POST", url: url + path, json } as const;
  });
  const reads = { status: 200, connections: 16 };
  return [
    toScenario("Sign-in", [signIn], { status: 200, connections: 4 }),
    toScenario("Vault: one document", [read(`/v1/vault/cookies/${identifier}`)], reads),
    toScenario(
      `Vault: a list of ${LIST_LENGTH}`,
      [read(`/v1/vault/media?projectId=${projectId}`)],
      reads,
    ),
    ...[1, 16, 64].map((connections) =>
      toScenario("Consent", collect, { status: 201, connections }),
    ),
  ];
}

function toScenario(
  title: string,
  requests: readonly RequestParts[],
  given: { status: number; connections: number },
): Scenario {
  const url = requests[0]?.url ?? "";
  return { title, url, next: repeat(requests, () => ""), ...given };
}

function toResultTable(measures: readonly Measure[]): string {
  const first = measures[0]?.requestsPerSecond ?? Number.NaN;
  return toTable(
    [
      { title: "Request" },
      ...["Connections", "Requests/s", "p50 ms", "p99 ms", "Ratio to bare", "Failed"].map(right),
    ],
    measures.map(({ scenario, requestsPerSecond, p50Ms, p99Ms, failures }) => [
      scenario.title,
      String(scenario.connections),
      toRate(requestsPerSecond),
      toMs(p50Ms),
      toMs(p99Ms),
      toRatio(requestsPerSecond / first),
      String(failures),
    ]),
  );
}

function toNotes(each: number): string {
  return `${each} s each after a warm-up of 1 s; fsync on; every consent is of a new visitor; load and service share the cores.`;
}

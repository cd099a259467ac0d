// npm run bench:assets: rate of renders, rendered and stored, and the memory of concurrent uploads.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createClient } from "../instance/requests.ts";
import { toTable } from "../instance/table.ts";
import { makeLargePng, makePhoto } from "./assets/picture.ts";
import { type MemoryMax, watchMemory } from "./assets/memory.ts";
import { sendFile } from "./assets/upload.ts";
import { readNumbers } from "./measure/arguments.ts";
import { openChild } from "./measure/children.ts";
import { openDatabases } from "./measure/database.ts";
import { type Measure, measure } from "./measure/load.ts";
import { readFacts, right, printFailures, toMs, toRate, toRatio } from "./measure/report.ts";
import type { RequestSource } from "./measure/requests.ts";
import { type Bench, runBench } from "./measure/run.ts";
import { type BenchService, openAvow } from "./measure/service.ts";
import { readMemory } from "./measure/steady.ts";

const help = `Usage: npm run bench:assets -- [--seconds S] [--uploads N]

Uploads a photograph of 12 megapixels and requests renders of it, each of a new size (rendered) and
the same one repeatedly (stored), next to a bare route that returns as many bytes from memory. Then
uploads N files of 20 MB concurrently, each of another user, and reports the resident memory.
Stops every process and removes every file at the end.

  --seconds S   duration of each kind of request (default: 10)
  --uploads N   concurrent uploads (default: 50)
  -h, --help    print this text
`;
const options = {
  seconds: { default: 10, min: 1, max: 600 },
  uploads: { default: 50, min: 1, max: 64 },
};
const KEPT_CONNECTIONS = 16;
const MADE_CONNECTIONS = 4;
const KEPT = "w=800&h=600&fit=crop&fm=webp";

const parsed = readNumbers({ args: process.argv.slice(2), command: "bench:assets", help, options });
process.exitCode =
  "status" in parsed ? parsed.status : await runBench((bench) => main(bench, parsed));

type Options = Record<keyof typeof options, number>;

async function main({ folder, opened }: Bench, given: Options): Promise<number> {
  const facts = await readFacts();
  const databases = opened.use(await openDatabases(folder));
  const databaseUrl = await databases.create("bench_assets");
  const tokens = await makeUsers(folder, databaseUrl, given.uploads);
  // A separate process, because password hashing increases the memory of the process that does it.
  const avow = opened.use(await openAvow(folder, databaseUrl));
  const idle = await readMemory(avow.pid);
  const [token = ""] = tokens;
  const photo = await sendFile(avow.url, token, [await makePhoto()]);
  const kept = await fetch(`${photo.url}?${KEPT}`);
  const bytes = (await kept.arrayBuffer()).byteLength;
  const env = { ...process.env, BYTES: String(bytes) };
  const bare = opened.use(await openChild(join(import.meta.dirname, "assets", "bare.ts"), { env }));
  const measures = await measureReads({ avow, photo, bare: bare.url, seconds: given.seconds });
  console.log(
    `\n${toReadTable(measures)}\n\n  A render has ${bytes.toLocaleString("en")} bytes.\n`,
  );
  const uploads = await uploadAll(avow, tokens);
  console.log(`${toUploadTable(uploads, { idle, count: tokens.length })}\n\n  ${facts}\n`);
  return printFailures(measures) ? 1 : 0;
}

async function makeUsers(folder: string, databaseUrl: string, count: number): Promise<string[]> {
  await using avow = await openAvow(folder, databaseUrl);
  const client = createClient(avow.url);
  const tokens: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const json = { email: `bench-${at}@avow.example`, password: randomBytes(24).toString("hex") };
    tokens.push((await client.send<{ token: string }>("/v1/auth/local/signup", { json })).token);
  }
  return tokens;
}

interface Reads {
  avow: BenchService;
  photo: { url: string };
  bare: string;
  seconds: number;
}

async function measureReads({ photo, bare, seconds }: Reads): Promise<Measure[]> {
  let count = 0;
  const sized = (query: string): RequestSource => {
    return () => toGet(`${photo.url}?${query}&w=800&h=${300 + (count += 1)}`);
  };
  const scenarios = [
    { title: "bare route", next: () => toGet(`${bare}/picture`), connections: KEPT_CONNECTIONS },
    { title: "kept", next: () => toGet(`${photo.url}?${KEPT}`), connections: KEPT_CONNECTIONS },
    { title: "made, JPEG", next: sized("fit=crop&fm=jpg"), connections: MADE_CONNECTIONS },
    { title: "made, WebP", next: sized("fit=crop&fm=webp"), connections: MADE_CONNECTIONS },
    { title: "made, AVIF", next: sized("fit=crop&fm=avif"), connections: MADE_CONNECTIONS },
  ];
  const measures: Measure[] = [];
  for (const scenario of scenarios) {
    process.stderr.write(`  ${scenario.title} …\n`);
    const url = scenario.title === "bare route" ? bare : photo.url;
    measures.push(await measure({ ...scenario, url, status: 200 }, seconds));
  }
  return measures;
}

function toGet(address: string): string {
  const { host, pathname, search } = new URL(address);
  return `GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n\r\n`;
}

function toReadTable(measures: readonly Measure[]): string {
  const bare = measures[0]?.requestsPerSecond ?? Number.NaN;
  const rows = measures.map(({ scenario, requestsPerSecond, p50Ms, p99Ms }) => [
    scenario.title,
    toRate(requestsPerSecond),
    toRatio(bare / requestsPerSecond),
    toMs(p50Ms),
    toMs(p99Ms),
  ]);
  const titles = ["Requests/s", "bare/this", "p50 ms", "p99 ms"];
  return toTable([{ title: "Renders" }, ...titles.map(right)], rows);
}

interface Uploads {
  seconds: number;
  bytes: number;
  memory: MemoryMax;
}

async function uploadAll(avow: BenchService, tokens: readonly string[]): Promise<Uploads> {
  process.stderr.write(`  ${tokens.length} concurrent uploads …\n`);
  const { size, copy } = await makeLargePng();
  const start = performance.now();
  const all = Promise.all(tokens.map((token) => sendFile(avow.url, token, copy())));
  const { memory } = await watchMemory(avow.pid, all);
  return { seconds: (performance.now() - start) / 1_000, bytes: size, memory };
}

function toUploadTable(
  { seconds, bytes, memory }: Uploads,
  { idle, count }: { idle: number; count: number },
): string {
  const megabytes = (bytes / 1e6).toFixed(1);
  const row = [
    `${count} of ${megabytes} MB`,
    seconds.toFixed(1),
    ((count * bytes) / 1e6 / seconds).toFixed(0),
    idle.toFixed(0),
    memory.service.toFixed(0),
    memory.children.toFixed(0),
  ];
  const titles = ["Seconds", "MB/s", "Avow idle, MiB", "at most, MiB", "its processes, MiB"];
  return toTable([{ title: "Concurrent uploads" }, ...titles.map(right)], [row]);
}

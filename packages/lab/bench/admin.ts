// npm run bench:admin: loading times and layout shift of the admin app's screens.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type Browser, type BrowserContext, type Page, chromium } from "playwright-core";
import { findFreePort } from "../../server/platform/ports.ts";
import type { Account } from "../demo/setup.ts";
import { createClient } from "../instance/requests.ts";
import { type AdminSite, setUpAdmin } from "../screenshots/admin/site.ts";
import { openService } from "../instance/service.ts";
import { toTable } from "../instance/table.ts";
import { addProjects, measureSearch } from "./admin/many-projects.ts";
import { readNumbers } from "./measure/arguments.ts";
import { openDatabases } from "./measure/database.ts";
import { readFacts, right, spreadOf } from "./measure/report.ts";
import { type Bench, runBench } from "./measure/run.ts";

const HOST = "127.0.0.1";
const FIRST_MS_MAX = 1_000;
const FIRST_BYTES_MAX = 200_000;
const WAIT_MS_MAX = 60_000;
const help = `Usage: npm run bench:admin -- [--rounds R] [--slowdown S] [--projects N]

Opens screens of the admin app in Chromium, from a temporary service with the data of npm run demo,
with an empty cache and a throttled processor. Reports when a screen's heading is painted, when all
its data is loaded, the layout shift, and the transferred bytes. Then opens the list of many projects,
and searches for one of them in the list and in the command palette. Exits with status 1 if the first
screen or the person's page takes more than ${FIRST_MS_MAX} ms (median), has a layout shift, or transfers
more than ${FIRST_BYTES_MAX} bytes.

  --rounds R     loads of each screen (default: 9)
  --slowdown S   slowdown factor of the processor (default: 4)
  --projects N   projects of the account with many (default: 10000)
  -h, --help     print this text
`;
const options = {
  rounds: { default: 9, min: 1, max: 1_000 },
  slowdown: { default: 4, min: 1, max: 100 },
  projects: { default: 10_000, min: 8_000, max: 50_000 },
};

interface Screen {
  name: string;
  /** A path of the app, or a URL. */
  at: (site: AdminSite) => string;
  isOpen?: boolean;
}

const screens: readonly Screen[] = [
  { name: "sign in (the first)", at: () => "/signin", isOpen: true },
  { name: "projects", at: () => "/projects" },
  { name: "a project", at: ({ projectId }) => `/projects/${projectId}` },
  { name: "publish", at: ({ projectId }) => `/projects/${projectId}/publish` },
  { name: "a person's page", at: ({ personUrl }) => personUrl, isOpen: true },
];

/** One load of a screen. */
interface Load {
  /** In ms since the start of the navigation. */
  paintedMs: number;
  wholeMs: number;
  /** Cumulative Layout Shift (Layout Instability API): 0 is none. */
  shift: number;
  /** Bytes as transferred, with headers. */
  bytes: number;
}

/** Observes a page from the start: layout shifts, its heading, and the end of loading. */
const watch = `
  window.measured = { shift: 0, paintedMs: 0, wholeMs: 0 };
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) measured.shift += value;
  }).observe({ type: "layout-shift", buffered: true });
  const look = () => {
    const now = performance.now();
    if (document.querySelector("h1")) measured.paintedMs ||= now;
    const isBusy = document.querySelector("[aria-busy=true]") || !document.querySelector("h1");
    if (isBusy) measured.wholeMs = 0; else measured.wholeMs ||= now;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
`;

/** Resolves when the screen is complete. The page's policy forbids expressions that the browser evaluates repeatedly. */
const whole = `new Promise((done) => {
  const look = () => (measured.wholeMs > 0 ? done() : requestAnimationFrame(look));
  look();
})`;

const parsed = readNumbers({ args: process.argv.slice(2), command: "bench:admin", help, options });
process.exitCode =
  "status" in parsed ? parsed.status : await runBench((bench) => main(bench, parsed));

async function main(
  { folder, opened }: Bench,
  { rounds, slowdown, projects }: Record<keyof typeof options, number>,
): Promise<number> {
  const facts = await readFacts();
  const port = String(await findFreePort(HOST));
  const url = `http://${HOST}:${port}`;
  const OPERATOR_TOKEN = randomBytes(24).toString("base64url");
  const DATA_DIR = join(folder, "data");
  const databases = opened.use(await openDatabases(folder));
  const database = await databases.create("admin");
  const env = {
    PATH: process.env["PATH"],
    HOST,
    PORT: port,
    DATA_DIR,
    DATABASE_URL: database,
    OPERATOR_TOKEN,
  };
  opened.use(await openService({ url, env }));
  const site = await setUpAdmin(createClient(url), OPERATOR_TOKEN);
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-background-networking"],
  });
  opened.defer(() => browser.close());
  const { owner, newcomer } = site.accounts;
  await addProjects(createClient(url), { account: newcomer, database, count: projects });
  const session = await startSession(browser, url, owner);
  const results: { screen: Screen; loads: Load[] }[] = [];
  for (const screen of screens) {
    const loads: Load[] = [];
    // The first load is a warm-up of the service.
    for (let round = -1; round < rounds; round += 1) {
      const kept = screen.isOpen ? {} : { storageState: session };
      const context = await browser.newContext({ locale: "en", ...kept });
      const at = screen.at(site);
      const load = await measure(context, at.startsWith("/") ? `${url}/admin${at}` : at, slowdown);
      await context.close();
      if (round >= 0) loads.push(load);
    }
    results.push({ screen, loads });
  }
  const manySession = await startSession(browser, url, newcomer);
  const searches: Search[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const context = await browser.newContext({ locale: "en", storageState: manySession });
    const search = await measureSearches(context, `${url}/admin/projects`, slowdown);
    await context.close();
    if (round >= 0) searches.push(search);
  }
  const rows = results.map(({ screen, loads }) => [
    screen.name,
    toSpread(loads.map(({ paintedMs }) => paintedMs)),
    toSpread(loads.map(({ wholeMs }) => wholeMs)),
    Math.max(...loads.map(({ shift }) => shift)).toFixed(3),
    toCount(Math.max(...loads.map(({ bytes }) => bytes))),
  ]);
  const steps: readonly (readonly [string, (search: Search) => number])[] = [
    ["the list is shown, from an empty cache", ({ listedMs }) => listedMs],
    ["a filter by title shows one of them", ({ filteredMs }) => filteredMs],
    ["the command palette finds one of them", ({ foundMs }) => foundMs],
  ];
  const titles = ["Heading, ms", "Whole, ms", "Moves", "Bytes"];
  console.log(`\n${toTable([{ title: "Screen" }, ...titles.map(right)], rows)}\n`);
  console.log(
    `${toTable(
      [{ title: `With ${toCount(projects)} projects` }, right("ms")],
      steps.map(([name, toMs]) => [name, toSpread(searches.map(toMs))]),
    )}\n`,
  );
  console.log(
    `  ${facts}\n  Chromium ${browser.version()}, processor slowed down ${slowdown} times, empty cache for each load; ${rounds} rounds: median, minimum and maximum.\n`,
  );
  return results.filter(({ screen }) => screen.isOpen).every(isGood) ? 0 : 1;
}

function isGood({ loads }: { loads: readonly Load[] }): boolean {
  const { median } = spreadOf(loads.map(({ wholeMs }) => wholeMs));
  return (
    median <= FIRST_MS_MAX &&
    loads.every(({ shift, bytes }) => shift === 0 && bytes <= FIRST_BYTES_MAX)
  );
}

function toSpread(numbers: readonly number[]): string {
  const { median, min, max } = spreadOf(numbers);
  return `${toCount(median)} (${toCount(min)}–${toCount(max)})`;
}

function toCount(value: number): string {
  return Math.round(value).toLocaleString("en");
}

async function startSession(browser: Browser, url: string, { email, password }: Account) {
  const context = await browser.newContext({ locale: "en" });
  const page = await context.newPage();
  await page.goto(`${url}/admin/signin`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Projects" }).waitFor();
  const session = await context.storageState();
  await context.close();
  return session;
}

/** Times of an account with many projects. */
interface Search {
  listedMs: number;
  filteredMs: number;
  foundMs: number;
}

async function measureSearches(
  context: BrowserContext,
  address: string,
  slowdown: number,
): Promise<Search> {
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS_MAX);
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await page.addInitScript(`
    window.listedMs = 0;
    const look = () => {
      if (document.querySelectorAll("main tbody tr").length > 1) listedMs = performance.now();
      else requestAnimationFrame(look);
    };
    look();
  `);
  await page.goto(address);
  await page.locator("main tbody tr").nth(1).waitFor();
  const listedMs = await page.evaluate<number>("listedMs");
  await page.waitForLoadState("networkidle");
  await page.getByLabel("Filter by title").focus();
  const filteredMs = await measureSearch(page, "main tbody tr");
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("option").first().waitFor();
  await page.waitForLoadState("networkidle");
  const foundMs = await measureSearch(page, "[role=option]");
  return { listedMs, filteredMs, foundMs };
}

async function measure(context: BrowserContext, address: string, slowdown: number): Promise<Load> {
  const page: Page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS_MAX);
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  let bytes = 0;
  devtools.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript(watch);
  await page.goto(address);
  await page.evaluate(whole);
  await page.waitForLoadState("networkidle");
  const measured: Omit<Load, "bytes"> = await page.evaluate("measured");
  return { ...measured, bytes };
}

// npm run bench:admin: how soon the admin app's screens are there, and whether anything moves.
import { join } from "node:path";
import { type Browser, type BrowserContext, type Page, chromium } from "playwright-core";
import { findFreePort } from "../../server/platform/ports.ts";
import { createClient } from "../instance/requests.ts";
import { type AdminSite, setUpAdmin } from "../screenshots/admin/site.ts";
import { openService } from "../instance/service.ts";
import { toTable } from "../instance/table.ts";
import { readNumbers } from "./measure/arguments.ts";
import { readFacts, right, spreadOf } from "./measure/report.ts";
import { type Bench, runBench } from "./measure/run.ts";

const HOST = "127.0.0.1";
const FIRST_MS_MAX = 1_000;
const WAIT_MS_MAX = 60_000;
const help = `Usage: npm run bench:admin -- [--rounds R] [--slowdown S]

Opens screens of the admin app in Chromium, from a service of its own filled by what npm run demo
makes, with an empty cache and the processor slowed down: when a screen's heading is painted, when
all that it reads is there, how far anything moves, what is loaded. Ends with status 1 when the
first screen or the person's page takes more than ${FIRST_MS_MAX} ms in the middle, or anything moves on it.

  --rounds R     how often each is opened (default: 9)
  --slowdown S   how many times slower the processor is (default: 4)
  -h, --help     this text
`;
const options = {
  rounds: { default: 9, min: 1, max: 1_000 },
  slowdown: { default: 4, min: 1, max: 100 },
};

interface Screen {
  name: string;
  /** A path of the app, or a whole address. */
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

/** One opening of a screen. */
interface Load {
  /** From the beginning of the navigation, in ms. */
  paintedMs: number;
  wholeMs: number;
  /** Cumulative Layout Shift (Layout Instability API): 0 is none. */
  shift: number;
  /** With headers, as they came. */
  bytes: number;
}

/** Watches a page from its beginning: what moves, and when it has its heading and nothing more to read. */
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

/** Resolves when the screen is whole; the page's policy takes no expression that is evaluated in it again and again. */
const whole = `new Promise((done) => {
  const look = () => (measured.wholeMs > 0 ? done() : requestAnimationFrame(look));
  look();
})`;

const asked = readNumbers({ args: process.argv.slice(2), command: "bench:admin", help, options });
process.exitCode = "status" in asked ? asked.status : await runBench((bench) => main(bench, asked));

async function main(
  { folder, opened }: Bench,
  { rounds, slowdown }: Record<keyof typeof options, number>,
): Promise<number> {
  const facts = await readFacts();
  const port = String(await findFreePort(HOST));
  const url = `http://${HOST}:${port}`;
  const env = { PATH: process.env["PATH"], HOST, PORT: port, DATA_DIR: join(folder, "data") };
  opened.use(await openService({ url, env }));
  const site = await setUpAdmin(createClient(url));
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-background-networking"],
  });
  opened.defer(() => browser.close());
  const session = await startSession(browser, url, site);
  const results: { screen: Screen; loads: Load[] }[] = [];
  for (const screen of screens) {
    const loads: Load[] = [];
    // The first one warms the service up.
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
  const rows = results.map(({ screen, loads }) => [
    screen.name,
    toSpread(loads.map(({ paintedMs }) => paintedMs)),
    toSpread(loads.map(({ wholeMs }) => wholeMs)),
    Math.max(...loads.map(({ shift }) => shift)).toFixed(3),
    toCount(Math.max(...loads.map(({ bytes }) => bytes))),
  ]);
  const titles = ["Heading, ms", "Whole, ms", "Moves", "Bytes"];
  console.log(`\n${toTable([{ title: "Screen" }, ...titles.map(right)], rows)}\n`);
  console.log(
    `  ${facts}\n  Chromium ${browser.version()}, the processor slowed ${slowdown} times, an empty cache each; ${rounds} rounds, the middle, the least and the greatest.\n`,
  );
  return results.filter(({ screen }) => screen.isOpen).every(isGood) ? 0 : 1;
}

function isGood({ loads }: { loads: readonly Load[] }): boolean {
  const { median } = spreadOf(loads.map(({ wholeMs }) => wholeMs));
  return median <= FIRST_MS_MAX && loads.every(({ shift }) => shift === 0);
}

function toSpread(numbers: readonly number[]): string {
  const { median, min, max } = spreadOf(numbers);
  return `${toCount(median)} (${toCount(min)}–${toCount(max)})`;
}

function toCount(value: number): string {
  return Math.round(value).toLocaleString("en");
}

async function startSession(browser: Browser, url: string, { accounts: { owner } }: AdminSite) {
  const context = await browser.newContext({ locale: "en" });
  const page = await context.newPage();
  await page.goto(`${url}/admin/signin`);
  await page.getByLabel("E-mail address").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Projects" }).waitFor();
  const session = await context.storageState();
  await context.close();
  return session;
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

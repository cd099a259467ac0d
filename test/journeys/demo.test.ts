import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type Browser, type BrowserContextOptions, type Page, chromium } from "playwright-core";
import { findFreePort } from "../../server/platform/ports.ts";
import { takeFolder } from "../../server/platform/postgres/owner.ts";
import { type Run, type RunOptions, runProgram } from "../command.ts";
import { service } from "../harness.ts";

const script = join(import.meta.dirname, "..", "..", "scripts", "demo.ts");
const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
// CI that installed a browser does not let these tests skip.
const isRequired = process.env["BROWSER_TESTS"] === "required";
const skip =
  isRequired || existsSync(executablePath)
    ? false
    : `there is no browser at ${executablePath} (CHROMIUM_PATH)`;

/** Runs the demo to its end, against the tests' service unless `env` says otherwise. */
function runDemo(
  args: readonly string[],
  { env, ...options }: Pick<RunOptions, "env" | "onTold"> = {},
): Promise<Run> {
  return runProgram(script, args, { env: { PUBLIC_URL: service.url, ...env }, ...options });
}

/** Opens a page that has to keep quiet: no error, and no request to anybody else. */
async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; faults: string[]; [Symbol.asyncDispose]: () => Promise<void> }> {
  const context = await browser.newContext({ locale: "en-GB", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (sent) => {
    const url = sent.url();
    if (!url.startsWith(`${service.url}/`) && !url.startsWith("data:")) faults.push(url);
  });
  return { page, faults, [Symbol.asyncDispose]: () => context.close() };
}

/** Pictures are kept only where somebody wants to look at them. */
async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env["SCREENSHOTS_DIR"];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** The proof is there once the consent is in the log, in a second or two. */
async function waitForPdf(url: string): Promise<void> {
  for (const endsAt = Date.now() + 10_000; ; await delay(100)) {
    const { status, headers } = await fetch(url);
    if (status === 200) return assert.equal(headers.get("content-type"), "application/pdf");
    assert.ok(Date.now() < endsAt, `${status} at ${url}`);
  }
}

const record = (page: Page, title: string) =>
  page.locator("#records > li").filter({ has: page.getByText(title, { exact: true }) });

// The order counts: the page before there is a demo, the demo, the page after it.
describe("the demo", { concurrency: false }, () => {
  test("says at /demo how to make one while there is none", async () => {
    const { status, headers, body } = await service.fetch("/demo");
    assert.equal(status, 200);
    assert.match(headers.get("content-type") ?? "", /^text\/html/);
    assert.match(body, new RegExp(`PORT=${new URL(service.url).port} npm run demo`));
  });

  test("looks well before there is one", { skip }, async () => {
    await using browser = await launch();
    for (const colorScheme of ["light", "dark"] as const) {
      await using opened = await openPage(browser, { colorScheme });
      await opened.page.goto(`${service.url}/demo`);
      await opened.page.getByRole("heading", { name: "Nothing to show yet" }).waitFor();
      await takePicture(opened.page, `waiting-${colorScheme}`);
      assert.deepEqual(opened.faults, []);
    }
  });

  test("drives the whole main job against the service that runs", async () => {
    const { code, out, err } = await runDemo([]);
    assert.equal(err, "");
    assert.equal(code, 0, out);
    assert.match(out, /Found the service/);
    assert.match(out, /Signed up demo-[0-9a-f]{8}@/);
    assert.match(out, /Published version 1 in 6 steps/);
    assert.match(out, /all 4 configurations are in it/);
    for (const name of ["Ada", "Bruno", "Chloé", "Dario"])
      assert.match(out, new RegExp(`✓ ${name} `));
    assert.match(out, /Cookies, English +Meta Pixel +withdrawn +\d\d:/);
    assert.match(out, /Cookies, English +Google Analytics +accepted +\d\d:/);
    assert.match(out, /Terms of sale +never-asked/);
    assert.match(out, /The kiln letter +refused/);
    assert.match(out, /The kiln letter +Ada /);
    assert.ok(out.includes(`${service.url}/demo`));
    const [, proof = ""] = /The last proof +(\S+)/.exec(out) ?? [];
    await waitForPdf(proof);
    const [, token = ""] = /The user’s token +(\S+)/.exec(out) ?? [];
    const { body } = await service.fetch("/v1/client/", { token });
    assert.equal(body.length, 1);
    assert.equal(body[0].website, `${service.url}/demo`);
  });

  test("refreshes the project of an account when run again", async () => {
    const account = ["--email", "again@demo.example", "--password", "correct horse"];
    const first = await runDemo(account);
    const second = await runDemo(account);
    assert.equal(first.code, 0, first.err);
    assert.equal(second.code, 0, second.err);
    assert.match(second.out, /Signed in as again@demo\.example/);
    const [, id = "none"] = /Created the project .* ([0-9a-f]{24})/.exec(first.out) ?? [];
    assert.match(second.out, new RegExp(`Refreshed the project .* ${id}`));
    assert.match(second.out, /Published version 2 /);
    assert.match(second.out, /all 4 configurations/);
    const wrong = await runDemo(["--email", "again@demo.example", "--password", "wrong"]);
    assert.equal(wrong.code, 1);
    assert.match(wrong.err, /409 .*\/signup: .*already/s);
  });

  test("says plainly what is wrong with what it was given", async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "avow-demo-"));
    context.after(() => rm(folder, { recursive: true }));
    const file = join(folder, "shop.json");
    const cookies = [{ steps: [{ name: "a", layout: "no such layout" }] }];
    await writeFile(file, JSON.stringify({ project: { title: "Bad" }, cookies }));
    const invalid = await runDemo([file]);
    assert.equal(invalid.code, 1);
    assert.match(invalid.err, /400 at \/v1\/vault\/cookies.*\/steps\/0\/layout must be one of/s);
    await writeFile(file, "[]");
    assert.match((await runDemo([file])).err, /expected an object with "project"/);
    assert.match((await runDemo([join(folder, "none.json")])).err, /ENOENT.*none\.json/);
    assert.equal((await runDemo(["--nonsense"])).code, 2);
    assert.match((await runDemo(["--help"])).out, /^Usage: npm run demo/);
  });

  test("starts a service where none answers, and stops it", async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "avow-demo-"));
    context.after(() => rm(folder, { recursive: true }));
    const PORT = String(await findFreePort("127.0.0.1"));
    const env = { PUBLIC_URL: "", PORT, DATA_DIR: join(folder, "data") };
    const { code, out, err } = await runDemo(["--once"], { env });
    assert.equal(code, 0, err);
    assert.match(out, new RegExp(`Started the service at http://127\\.0\\.0\\.1:${PORT} `));
    assert.match(out, /The service that the demo started has stopped/);
    assert.doesNotMatch(out, /Where to look next|\/demo/);
    await assert.rejects(fetch(`http://127.0.0.1:${PORT}/health/live`));
  });

  test("waits for the service that has the data folder and is about to answer", async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "avow-demo-"));
    context.after(() => rm(folder, { recursive: true }));
    // The folder's owner is here, and answers when the demo has begun to wait.
    using _owner = await takeFolder(folder);
    const proxy = createServer((req, res) => {
      const { method = "GET", url = "/", headers } = req;
      const to = request(`${service.url}${url}`, { method, headers }, (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      });
      req.pipe(to);
    });
    context.after(() => proxy.close());
    const PORT = String(await findFreePort("127.0.0.1"));
    const env = { PUBLIC_URL: "", PORT, DATA_DIR: folder };
    const { code, out, err } = await runDemo([], {
      env,
      onTold: (told) => {
        if (/waiting up to 20 s/.test(told.out) && !proxy.listening)
          proxy.listen(Number(PORT), "127.0.0.1");
      },
    });
    assert.equal(code, 0, err);
    assert.match(out, /Another Avow has the data folder: waiting up to 20 s.*Found the service/s);
  });
});

describe("the demo's page in a browser", { skip }, () => {
  before(async () => {
    const { code, err } = await runDemo([]);
    assert.equal(code, 0, err);
  });

  test("asks, shows what was recorded, keeps it after a reload, and lets one withdraw", async () => {
    await using browser = await launch();
    await using opened = await openPage(browser);
    const { page, faults } = opened;
    await page.goto(`${service.url}/demo`);
    await record(page, "Cookies, English").getByText("Never asked").waitFor();
    assert.equal(
      await page.locator("#status").textContent(),
      "",
      "nothing covers the first vendors",
    );
    assert.equal(await page.getByRole("switch").count(), 4);
    assert.equal(
      await page.locator("input:checked").count(),
      0,
      "nothing is ticked before a choice",
    );

    await page.getByRole("switch", { name: "Google Analytics" }).check();
    await page.getByRole("button", { name: "Save my choices" }).click();
    await page.getByText("Recorded and read back: Cookies, English, accepted").waitFor();
    const cookies = record(page, "Cookies, English");
    await cookies.getByText("✓ Google Analytics").waitFor();
    await cookies.getByText("✕ Meta Pixel").waitFor();
    await takePicture(page, "answered-light");

    await page.reload();
    await page.getByText("Welcome back").waitFor();
    assert.equal(await page.getByRole("switch", { name: "Google Analytics" }).isChecked(), true);
    assert.equal(await page.locator("input:checked").count(), 1);

    await page.getByRole("button", { name: "Withdraw my consent" }).click();
    await page.getByText("Cookies, English, withdrawn").waitFor();
    assert.equal(await page.locator("input:checked").count(), 0);
    await record(page, "Cookies, English").getByText("Not accepted").waitFor();
    await page.getByRole("button", { name: "Forget me on this device" }).click();
    await page.getByText("You are a new visitor").waitFor();
    assert.deepEqual(faults, []);
  });

  test("subscribes and approves by keyboard, and asks for the tick first", async () => {
    await using browser = await launch();
    await using opened = await openPage(browser);
    const { page, faults } = opened;
    await page.goto(`${service.url}/demo`);
    await page.getByRole("button", { name: "Subscribe" }).press("Enter");
    await record(page, "The kiln letter").getByText("Accepted", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Confirm" }).press("Enter");
    await page.getByText("Tick the box first.").waitFor();
    await page.getByRole("checkbox", { name: /terms of sale/ }).press("Space");
    const sent = page.waitForResponse((answer) => answer.status() === 201);
    await page.getByRole("button", { name: "Confirm" }).press("Enter");
    await record(page, "Terms of sale").getByText("Accepted", { exact: true }).waitFor();
    const { grade } = (await (await sent).json()) as { grade: string };
    assert.equal(grade, "ticketed", "the page gave back the ticket of what it displayed");
    assert.deepEqual(faults, []);
  });

  test("speaks the browser's language, and gives refusing the weight of accepting", async () => {
    await using browser = await launch();
    const viewport = { width: 390, height: 844 };
    const options = { locale: "fr-FR", colorScheme: "dark", viewport } as const;
    await using opened = await openPage(browser, options);
    const { page, faults } = opened;
    await page.goto(`${service.url}/demo`);
    const accept = page.getByRole("button", { name: "Tout accepter" });
    await accept.waitFor();
    await page.getByRole("button", { name: "Tout refuser" }).waitFor();
    assert.deepEqual(await lookOf(page, "refuse"), await lookOf(page, "accept"));
    const wide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
    assert.equal(wide, false, "nothing reaches beyond a telephone's width");
    await takePicture(page, "asked-phone-dark");
    assert.equal(await page.locator("html").getAttribute("lang"), "fr");
    await page.getByRole("heading", { name: "Demander clairement. Garder la preuve." }).waitFor();
    await record(page, "Cookies, français").getByText("Jamais demandé").waitFor();
    await accept.click();
    await page.getByText("Enregistré et relu : Cookies, français, accepté").waitFor();
    await record(page, "Cookies, français").getByText("✓ Meta Pixel").waitFor();
    await takePicture(page, "answered-phone-dark");
    await page.getByRole("button", { name: "English" }).click();
    await page.getByRole("button", { name: "Accept all" }).waitFor();
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
    await page.getByRole("heading", { name: "Ask plainly. Keep the proof." }).waitFor();
    assert.equal(await page.getByRole("switch", { checked: true }).count(), 0);
    assert.deepEqual(faults, []);
  });

  test("tells in plain words that the service does not answer", async () => {
    await using browser = await launch();
    await using opened = await openPage(browser, { colorScheme: "dark" });
    const { page } = opened;
    await page.goto(`${service.url}/demo`);
    await record(page, "Cookies, English").getByText("Never asked").waitFor();
    await takePicture(page, "asked-dark");
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Refuse all" }).click();
    await page.getByRole("alert").getByText("The service cannot be reached").waitFor();
    await takePicture(page, "fault-dark");
  });
});

function launch(): Promise<Browser> {
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/** How a button of the first form looks: all that makes one answer more tempting than another. */
async function lookOf(page: Page, value: "refuse" | "accept"): Promise<unknown> {
  return page.evaluate(`(() => {
    const button = document.querySelector("form button[value=${value}]");
    const { backgroundColor, color, borderColor, font } = getComputedStyle(button);
    return { backgroundColor, color, borderColor, font, height: button.offsetHeight };
  })()`);
}

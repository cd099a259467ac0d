import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { BrowserContextOptions, Page } from "playwright-core";
import { findFreePort } from "../../../packages/server/platform/ports.ts";
import { lockFolder } from "@avow/postgres/owner";
import { type ProgramResult, type RunOptions, runProgram } from "../../command.ts";
import { signIn } from "../admin/visits.ts";
import { openTestDatabase } from "../../database.ts";
import { service } from "../../harness.ts";
import { openAnotherService } from "../../interface/another-service.ts";
import { assertProven, waitForProof } from "../../interface/proofs.ts";
import { openPage, skip } from "../widget/browser.ts";

const script = join(import.meta.dirname, "../../../packages/lab/demo/main.ts");

/** Runs the demo to its end, against the tests' service unless `env` differs. */
function runDemo(
  args: readonly string[],
  { env, ...options }: Pick<RunOptions, "env" | "onOutput"> = {},
): Promise<ProgramResult> {
  const shared = { PUBLIC_URL: service.url, DATABASE_URL: service.databaseUrl };
  return runProgram(script, args, { env: { ...shared, ...env }, ...options });
}

/** Opens the demo's page, which must have no error and no request to another host. */
async function openDemo(options: BrowserContextOptions = {}, origin = service.url) {
  const opened = await openPage(options);
  await opened.page.goto(`${origin}/demo`);
  const assertQuiet = (): void => {
    assert.deepEqual(opened.faults, []);
    const isOwn = (sent: string) => /^[A-Z]+ data:/.test(sent) || sent.includes(` ${origin}/`);
    assert.deepEqual(
      opened.requests.filter((sent) => !isOwn(sent)),
      [],
    );
  };
  return { ...opened, assertQuiet };
}

/** Screenshots are only kept on request. */
async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env["SCREENSHOTS_DIR"];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** The proof exists once the consent is in the log, after a second or two. */
async function waitForPdf(url: string): Promise<void> {
  for (const endsAt = Date.now() + 10_000; ; await delay(100)) {
    const { status, headers } = await fetch(url);
    if (status === 200) return assert.equal(headers.get("content-type"), "application/pdf");
    assert.ok(Date.now() < endsAt, `${status} at ${url}`);
  }
}

const record = (page: Page, title: string) =>
  page.locator("#records > li").filter({ has: page.getByText(title, { exact: true }) });

describe("the demo's page without a demo", () => {
  test("explains how to create one, and renders correctly", { skip }, async () => {
    // Other tests of a run may have created a demo in the shared service.
    await using database = await openTestDatabase();
    await using empty = await openAnotherService(database.url);
    const answer = await fetch(`${empty.url}/demo`);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
    assert.match(await answer.text(), new RegExp(`PORT=${empty.port} npm run demo`));
    for (const colorScheme of ["light", "dark"] as const) {
      await using opened = await openDemo({ colorScheme }, empty.url);
      await opened.page.getByRole("heading", { name: "Nothing to show yet" }).waitFor();
      await takePicture(opened.page, `waiting-${colorScheme}`);
      opened.assertQuiet();
    }
  });
});

// In order: the demo first, then its page.
describe("the demo", { concurrency: false }, () => {
  test("runs through the main job against a running service", async () => {
    const { code, out, err } = await runDemo([]);
    assert.equal(err, "");
    assert.equal(code, 0, out);
    assert.match(out, /Found the service/);
    assert.match(out, /Signed up demo-[0-9a-f]{8}@/);
    assert.match(out, /Published version 1 in 6 steps/);
    assert.match(out, /all 6 configurations are in it/);
    for (const name of ["Ada", "Bruno", "Chloé", "Dario"])
      assert.match(out, new RegExp(`✓ ${name} `));
    assert.match(out, /Cookies, English +Meta Pixel +withdrawn +\d\d:/);
    assert.match(out, /Cookies, English +Google Analytics +accepted +\d\d:/);
    assert.match(out, /Terms of sale +never-asked/);
    assert.match(out, /The kiln letter +refused/);
    assert.match(out, /The kiln letter +Ada /);
    assert.match(out, /✓ Put the project on \/demo/);
    assert.ok(out.includes(`${service.url}/demo`));
    const [, proof = ""] = /The last proof +(\S+)/.exec(out) ?? [];
    await waitForPdf(proof);
    const [, token = ""] = /The user’s token +(\S+)/.exec(out) ?? [];
    const { body } = await service.fetch("/v1/client/", { token });
    assert.equal(body.length, 1);
    assert.equal(body[0].website, `${service.url}/demo`);
  });

  test("prints how to sign in to the admin app with the project", { skip }, async () => {
    const { code, out, err } = await runDemo([]);
    assert.equal(code, 0, err);
    const [, place = ""] = /Admin app +(\S+)/.exec(out) ?? [];
    const [, email = "", password = ""] =
      /Sign in there +(\S+), with the password (\S+)/.exec(out) ?? [];
    await using opened = await openPage();
    const { page } = opened;
    await page.goto(place);
    await signIn(page, email, password);
    const row = page.getByRole("row").filter({ hasText: "/demo" });
    await row.getByRole("link").first().click();
    await page.getByRole("heading", { name: "Visitors" }).waitFor();
  });

  test("refreshes the project of an account at the next run", async () => {
    const account = ["--email", "again@demo.example", "--password", "correct horse"];
    const first = await runDemo(account);
    const second = await runDemo(account);
    assert.equal(first.code, 0, first.err);
    assert.equal(second.code, 0, second.err);
    assert.match(second.out, /Signed in as again@demo\.example/);
    assert.match(second.out, /Sign in there +again@demo\.example, with the password that you gave/);
    assert.ok(!second.out.includes("correct horse"), "a given password is not printed");
    const [, id = "none"] = /Created the project .* ([0-9a-f]{24})/.exec(first.out) ?? [];
    assert.match(second.out, new RegExp(`Refreshed the project .* ${id}`));
    assert.match(second.out, /Version 1 is live: nothing has changed/);
    assert.match(second.out, /all 6 configurations/);
    const wrong = await runDemo(["--email", "again@demo.example", "--password", "wrong"]);
    assert.equal(wrong.code, 1);
    assert.match(wrong.err, /409 .*\/signup: .*already/s);
  });

  test("explains invalid arguments", async (context) => {
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

  test("starts a service when none answers, and stops it", async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "avow-demo-"));
    context.after(() => rm(folder, { recursive: true }));
    const PORT = String(await findFreePort("127.0.0.1"));
    const env = { PUBLIC_URL: "", DATABASE_URL: "", PORT, DATA_DIR: join(folder, "data") };
    const { code, out, err } = await runDemo(["--once"], { env });
    assert.equal(code, 0, err);
    assert.match(out, new RegExp(`Started the service at http://127\\.0\\.0\\.1:${PORT} `));
    assert.match(out, /✓ Put the project on \/demo/);
    assert.match(out, /The service that the demo started has stopped/);
    assert.doesNotMatch(out, /Next steps/);
    await assert.rejects(fetch(`http://127.0.0.1:${PORT}/health/live`));
  });

  test("waits for a starting service that has locked the data folder", async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "avow-demo-"));
    context.after(() => rm(folder, { recursive: true }));
    // This process locks the folder, and answers once the demo has begun to wait.
    using _owner = await lockFolder(folder);
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
    const env = { PUBLIC_URL: "", DATABASE_URL: "", PORT, DATA_DIR: folder };
    const { code, out, err } = await runDemo([], {
      env,
      onOutput: (output) => {
        if (/waiting up to 20 s/.test(output.out) && !proxy.listening)
          proxy.listen(Number(PORT), "127.0.0.1");
      },
    });
    assert.equal(code, 0, err);
    assert.match(out, /Another Avow has the data folder: waiting up to 20 s.*Found the service/s);
    assert.match(out, /Demo page +does not show this project\. No database runs in/);
  });
});

describe("the demo's page in a browser", { skip }, () => {
  let owner = "";
  let projectId = "";
  before(async () => {
    const { code, out, err } = await runDemo([]);
    assert.equal(code, 0, err);
    [, owner = ""] = /The user’s token +(\S+)/.exec(out) ?? [];
    [, projectId = ""] = /Created the project .* ([0-9a-f]{24})/.exec(out) ?? [];
  });

  test("asks by the widget, then finds the answer with its ticket and proof", async () => {
    await using opened = await openDemo();
    const { page } = opened;
    const dialog = page.getByRole("dialog", { name: "A word about cookies" });
    await dialog.waitFor();
    await record(page, "Cookies, English").getByText("Never asked").waitFor();
    await takePicture(page, "asked-light");
    const saved = page.waitForResponse(/\/v1\/app\/consents\//);
    await dialog.getByRole("button", { name: "Accept all" }).click();
    const [{ consentId }] = (await (await saved).json()) as [{ consentId: string }];
    await page.getByText("Recorded and read back: Cookies, English.").waitFor();
    const cookies = record(page, "Cookies, English");
    await cookies.getByText("ticketed").waitFor();
    await cookies.getByText("✓ Meta Pixel").waitFor();

    const token = (await page.locator("#token").textContent()) ?? "";
    const { status, body } = await service.fetch(`/v1/client/${projectId}/consents/${token}`, {
      token: owner,
    });
    assert.equal(status, 200);
    assert.equal(body.history.length, 1);
    assert.equal(body.history[0].consentId, consentId);
    assert.equal(body.history[0].grade, "ticketed");
    assert.equal(body.history[0].accept, true);
    const proven = await assertProven(await waitForProof(consentId, token));
    assert.equal(proven["token"], token);
    const link = cookies.getByRole("link", { name: "Proof (JSON): Cookies, English" });
    const proof = await fetch(new URL((await link.getAttribute("href")) ?? "", service.url));
    const shown = (await proof.json()) as Awaited<ReturnType<typeof waitForProof>>;
    assert.deepEqual(await assertProven(shown), proven);
    const pdf = cookies.getByRole("link", { name: "as PDF: Cookies, English" });
    await waitForPdf(new URL((await pdf.getAttribute("href")) ?? "", service.url).href);
    await takePicture(page, "answered-light");
    opened.assertQuiet();
  });

  test("keeps answers after a reload, allows a withdrawal, and forgets a device", async () => {
    await using opened = await openDemo();
    const { page } = opened;
    const cookies = record(page, "Cookies, English");
    await page.getByRole("button", { name: "Accept all" }).click();
    await cookies.getByText("Accepted", { exact: true }).waitFor();
    const token = await page.locator("#token").textContent();
    await page.reload();
    await cookies.getByText("Accepted", { exact: true }).waitFor();
    assert.equal(await page.locator("#token").textContent(), token);
    assert.equal(await page.getByRole("dialog").count(), 0, "the banner does not ask again");
    await page.getByRole("link", { name: "Cookie settings" }).click();
    const dialog = page.getByRole("dialog", { name: "Cookie settings" });
    assert.equal(await dialog.getByRole("switch", { name: "Meta Pixel" }).isChecked(), true);
    await dialog.getByRole("button", { name: "Refuse all" }).click();
    await cookies.getByText("Not accepted", { exact: true }).waitFor();
    await cookies.getByText("✕ Meta Pixel").waitFor();
    await page.getByText("History (2)").click();
    assert.equal(await page.locator("#history li").count(), 2);
    await page.getByRole("button", { name: "Forget me on this device" }).click();
    await page.getByRole("dialog", { name: "A word about cookies" }).waitFor();
    await page.getByText("none yet: your first answer creates it").waitFor();
    opened.assertQuiet();
  });

  test("signs up only visitors who agreed, and takes an order only with accepted terms, each proven", async () => {
    await using opened = await openDemo();
    const { page } = opened;
    await page.getByRole("button", { name: "Refuse all" }).click();
    await record(page, "Cookies, English").getByText("Not accepted", { exact: true }).waitFor();
    await page.getByLabel("E-mail address").fill("visitor@example.org");
    await page.getByRole("button", { name: "Sign up" }).click();
    await page.getByText("Not signed up: the newsletter needs your consent").waitFor();
    await page.getByRole("button", { name: "I agree", exact: true }).click();
    const letter = record(page, "The kiln letter");
    await letter.getByText("Accepted", { exact: true }).waitFor();
    await letter.getByText("ticketed").waitFor();
    await page.getByRole("button", { name: "Sign up" }).click();
    await page.getByText("Signed up. This is a demo").waitFor();

    await page.getByRole("button", { name: "Place the order" }).click();
    const terms = record(page, "Terms of sale");
    await terms.getByText("Never asked").waitFor();
    await page.getByRole("checkbox", { name: "I have read and accept the terms of sale." }).check();
    await page.getByRole("button", { name: "Place the order" }).click();
    await page.getByText("Thank you. This is a demo").waitFor();
    await terms.getByText("Accepted", { exact: true }).waitFor();
    await terms.getByText("ticketed").waitFor();
    opened.assertQuiet();
  });

  test("can be answered and used by keyboard alone", async () => {
    await using opened = await openDemo();
    const { page } = opened;
    await page.getByRole("dialog", { name: "A word about cookies" }).waitFor();
    await pressUntil(page, "Tab", "Let me choose");
    await page.keyboard.press("Enter");
    for (const name of ["Being found", "Paying safely"])
      await page.getByRole("heading", { name }).waitFor();
    await pressUntil(page, "Tab", "Google Analytics");
    await page.keyboard.press("Space");
    await pressUntil(page, "Tab", "Save my choices");
    await page.keyboard.press("Enter");
    const cookies = record(page, "Cookies, English");
    await cookies.getByText("✓ Google Analytics").waitFor();
    await cookies.getByText("✕ Meta Pixel").waitFor();
    opened.assertQuiet();
  });

  test("has the browser's or the chosen language, on a phone, in dark mode", async () => {
    const viewport = { width: 375, height: 720 };
    await using opened = await openDemo({ locale: "fr-FR", colorScheme: "dark", viewport });
    const { page } = opened;
    await page.getByRole("dialog", { name: "Un mot sur les cookies" }).waitFor();
    assert.equal(await page.locator("html").getAttribute("lang"), "fr");
    await page.getByRole("heading", { name: "Des pots pour tous les jours" }).waitFor();
    const wide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
    assert.equal(wide, false, "nothing overflows a phone's width");
    await takePicture(page, "asked-phone-dark");
    await page.getByRole("button", { name: "Tout refuser" }).click();
    await record(page, "Cookies, français").getByText("Pas accepté").waitFor();
    await takePicture(page, "answered-phone-dark");
    await page.getByRole("link", { name: "English" }).click();
    await page.getByRole("heading", { name: "Pots for every day" }).waitFor();
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
    opened.assertQuiet();
  });

  test("works under another host name of the same service", async () => {
    const { port } = new URL(service.url);
    const home = `http://localhost:${port}`;
    await using opened = await openPage();
    const { page, faults, requests } = opened;
    await page.goto(`${home}/demo`);
    await page.getByRole("button", { name: "Refuse all" }).click();
    const cookies = record(page, "Cookies, English");
    await cookies.getByText("Not accepted", { exact: true }).waitFor();
    await cookies.getByText("ticketed").waitFor();
    assert.deepEqual(faults, []);
    assert.deepEqual(
      requests.filter((sent) => !sent.includes(` ${home}/`) && !sent.includes(" data:")),
      [],
    );
  });

  test("keeps an answer while offline, and sends it when the network is back", async () => {
    await using opened = await openDemo({ colorScheme: "dark" });
    const { page } = opened;
    await page.getByRole("dialog", { name: "A word about cookies" }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Refuse all" }).click();
    await page.getByText("Your answer is kept on this device").waitFor();
    await takePicture(page, "kept-dark");
    await page.context().setOffline(false);
    await record(page, "Cookies, English").getByText("Not accepted", { exact: true }).waitFor();
  });
});

/**
 * Presses a key until a named control has the focus, in the page or in the widget, at most a fixed number of
 * times.
 */
async function pressUntil(page: Page, key: string, name: string): Promise<void> {
  const find = `(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return (at?.labels?.[0] ?? at)?.textContent?.trim();
  })()`;
  for (let left = 30; left > 0; left -= 1) {
    if ((await page.evaluate(find)) === name) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${name} is not reached by ${key}`);
}

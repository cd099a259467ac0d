import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { service } from "../../harness.ts";
import { waitForMail } from "../../interface/mails.ts";
import { poll } from "../../poll.ts";
import { openPage, skip } from "../widget/browser.ts";
import { findViolations } from "../widget/axe.ts";
import { type AdminVisit, listFaults, newEmail, openAdmin, password } from "./visits.ts";

const CLICKS_MAX = 8;
const MS_MAX = 180_000;
const SCAN_MS = 120_000;

/** A shop in French with colors of its own, and a service that the catalogue knows and one that it does not. */
const website = { head: "" };
const tracker = "https://www.googletagmanager.com/gtag/js?id=G-1";
const server = createServer((_req, res) => {
  res.setHeader("content-type", "text/html; charset=utf-8");
  res.end(`<!doctype html><html lang="fr"><head><title>Boutique</title>${website.head}
    <link rel="alternate" hreflang="de" href="/de">
    <style>
      body { margin: 0; background: #fdf6e3; color: #222; font: 18px/1.5 sans-serif }
      header { padding: 24px 6%; background: #0a5a46; color: #fff } main { padding: 40px 6% }
      button { padding: 12px 24px; border: 0; background: #0a5a46; color: #fff }
    </style></head>
    <body><header>La boutique</header><main><h1>Des bols faits main</h1>
    <p>Chaque bol est tourné à l’atelier.</p><button>Commander</button></main>
    <script>document.cookie = "_ga=GA1.1.1.1; max-age=34128000"</script>
    ${website.head === "" ? '<img src="http://127.0.0.3:9/pixel" alt="">' : `<script src="${tracker}"></script>`}</body>`);
}).listen(0, "127.0.0.2");
await once(server, "listening");
after(() => server.close());
const site = `http://127.0.0.2:${(server.address() as AddressInfo).port}`;

/** Counts a mouse user's clicks, including one to focus each field. */
function countClicks() {
  let count = 0;
  const click = async (place: Locator): Promise<void> => {
    count += 1;
    await place.click();
  };
  return {
    click,
    fill: async (place: Locator, text: string): Promise<void> => {
      await click(place);
      await place.pressSequentially(text);
    },
    count: () => count,
  };
}

const toProjectId = (snippet: string): string => /data-project="(\w+)"/.exec(snippet)?.[1] ?? "";

const button = (page: Page, name: string): Locator => page.getByRole("button", { name });

/** A picture of a step, where `SCREENSHOTS` names a folder. */
async function capture({ page }: AdminVisit, name: string): Promise<void> {
  const folder = process.env["SCREENSHOTS"];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.screenshot({ path: join(folder, `${name}-${scheme}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: "light" });
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: join(folder, `${name}-phone.png`), fullPage: true });
  if (size) await page.setViewportSize(size);
}

async function signUp(page: Page): Promise<void> {
  await page.getByLabel(/E-mail address|Adresse e-mail/).fill(newEmail());
  await page.getByLabel(/Password|Mot de passe/).fill(password);
  await button(page, "Create account").or(button(page, "Créer le compte")).click();
}

describe("from an empty account to a live banner", { skip }, () => {
  it("takes at most eight clicks and three minutes with a real scan, and turns green at the first visitor", async () => {
    const startedAt = performance.now();
    await using visit = await openAdmin("/", {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const { page } = visit;
    const { click, fill, count } = countClicks();
    await click(page.getByRole("link", { name: "Create one" }));
    await fill(page.getByLabel("E-mail address"), newEmail());
    await fill(page.getByLabel("Password"), password);
    await click(button(page, "Create account"));
    await fill(page.getByLabel("Address of the website"), site);
    await click(button(page, "Create project"));
    await button(page, "Skip the scan").waitFor();
    await capture(visit, "1-scan");
    const language = page.getByLabel("Language of the website");
    await language.waitFor({ timeout: SCAN_MS });
    assert.equal(await language.inputValue(), "fr");
    assert.ok(await page.getByLabel("Google Analytics").isChecked());
    assert.ok(await page.getByLabel("Use the colors of the website").isChecked());
    await page.getByText("1 host is unknown").waitFor();
    await page.frameLocator("iframe.front").getByText("Votre choix pour les cookies").waitFor();
    await capture(visit, "2-offer");
    await click(button(page, "Publish banner"));
    await page.getByRole("heading", { name: "Waiting for the first visitor" }).waitFor();
    await capture(visit, "3-install");
    await click(button(page, "Copy").first());
    website.head = await page.evaluate("navigator.clipboard.readText()");
    assert.match(
      website.head,
      /\.block\.js" data-block="auto"><\/script>\n<script src="http.*widget\.js" data-project="[0-9a-f]{24}" async>/,
    );
    const tookMs = performance.now() - startedAt;
    process.stderr.write(`${count()} clicks, ${Math.round(tookMs / 1_000)} s to the snippet\n`);
    assert.ok(count() <= CLICKS_MAX, `${count()} clicks`);
    assert.ok(tookMs < MS_MAX, `${tookMs} ms`);

    await using visitor = await openPage();
    const requested: string[] = [];
    visitor.page.on("request", (request) => requested.push(request.url()));
    await visitor.page.route(tracker, (route) =>
      route.fulfill({ contentType: "text/javascript", body: "" }),
    );
    await visitor.page.goto(site);
    const accept = visitor.page.getByRole("button", { name: "Tout accepter" });
    await accept.waitFor();
    // The button has the color of the website.
    assert.match(
      JSON.stringify((await service.fetch(`/cdn/${toProjectId(website.head)}.json`)).body),
      /"main":"#0a5a46"/,
    );
    await page.getByRole("heading", { name: "Your banner is live" }).waitFor({ timeout: 30_000 });
    assert.ok(!requested.includes(tracker), "the tracker was requested before consent");
    await accept.click();
    await poll({
      read: () => requested,
      isRight: (urls) => urls.includes(tracker),
      waitMs: 30_000,
      toMessage: () => "the tracker was not released",
    });
    await page.getByText("The first answer came from 127.0.0.2").waitFor({ timeout: 30_000 });
    await capture(visit, "4-live");
    await button(page, "Send").waitFor();
    const developer = newEmail();
    await page.getByLabel("E-mail address of the developer").fill(developer);
    await button(page, "Send").click();
    await page.getByText(`Sent to ${developer}.`).waitFor();
    await waitForMail(developer, /Add the cookie banner/);
    for (const name of [
      "With SRI",
      "Tag Manager",
      "WordPress",
      "Next.js",
      "Nuxt",
      "React Native",
    ]) {
      await page.getByRole("tab", { name }).click();
      await button(page, "Copy").first().waitFor();
    }
    // The snippet pinned by its hash works, too, and does not ask again after an answer.
    await page.getByRole("tab", { name: "With SRI" }).click();
    website.head = await page.locator("pre code").first().innerText();
    assert.match(website.head, /integrity="sha384-/);
    await using second = await openPage();
    await second.page.goto(site);
    await second.page.getByRole("button", { name: "Tout refuser" }).waitFor();
    await page.getByRole("link", { name: "Go to the overview" }).click();
    await page.getByText(/The last answer arrived/).waitFor();
    assert.equal(await page.getByText("Get started").count(), 0);
    assert.deepEqual([...listFaults(visit), ...visitor.faults, ...second.faults], []);
  });

  it("works without a scan: skipped, or of a website that does not load", async () => {
    await using visit = await openAdmin("/signup", { locale: "fr-FR" });
    const { page } = visit;
    await signUp(page);
    // Without a scheme, as people type it.
    await page.getByLabel("Adresse du site").fill("laden.example.de");
    await page.getByLabel("Titre").fill("Laden");
    await button(page, "Créer le projet").click();
    const language = page.getByLabel("Langue du site");
    await button(page, "Passer l’analyse").or(language).first().waitFor();
    if (await button(page, "Passer l’analyse").isVisible())
      await button(page, "Passer l’analyse").click();
    await language.waitFor();
    assert.equal(await language.inputValue(), "de");
    await page.getByText(/Le site n’a pas (?:pu être|été) analysé/).waitFor();
    await page.getByLabel("YouTube").check();
    await page.getByLabel("Google Analytics").uncheck();
    await page.frameLocator("iframe.front").getByText("Ihre Wahl zu Cookies").waitFor();
    await capture(visit, "5-unscanned");
    assert.deepEqual(await findViolations(page), []);
    await button(page, "Publier le bandeau").click();
    await page.getByRole("heading", { name: "En attente du premier visiteur" }).waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("creates one banner: retries a failed publication, and resumes after a reload", async () => {
    await using visit = await openAdmin("/signup");
    const { page } = visit;
    await signUp(page);
    await page.getByLabel("Address of the website").fill("shop.example.org");
    await button(page, "Create project").click();
    await page.waitForURL(/\/start$/);
    const start = new URL(page.url()).pathname.replace("/admin", "");
    const [, projectId = ""] = /projects\/(\w+)\//.exec(start) ?? [];
    await page.reload();
    await page.getByLabel("Language of the website").waitFor({ timeout: SCAN_MS });
    const publishing = /\/v1\/publish\/jobs\/[0-9a-f]{24}$/;
    await page.route(publishing, (route) => route.abort());
    await button(page, "Publish banner").click();
    await page.getByRole("alert").first().waitFor();
    await page.unroute(publishing);
    await page.getByLabel("YouTube").check();
    await button(page, "Publish banner").click();
    await page.getByRole("heading", { name: "Waiting for the first visitor" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Waiting for the first visitor" }).waitFor();
    await visit.open(start.replace("/start", "/cookies"));
    await page.locator("tbody tr").first().waitFor();
    assert.equal(await page.locator("tbody tr").count(), 1);
    await poll({
      read: async () => JSON.stringify((await service.fetch(`/cdn/${projectId}.json`)).body),
      isRight: (published) => published.includes("youtube"),
      waitMs: 30_000,
      toMessage: (published) => `The second choice is not live: ${published}`,
    });
  });
});

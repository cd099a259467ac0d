import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { newLink } from "../../interface/persons.ts";
import { collect, readStatuses } from "../../interface/site.ts";
import { findViolations } from "./axe.ts";
import { skip, openPage } from "./browser.ts";
import { newsletter } from "./box-sites.ts";
import { newLiveSite, shopCookies } from "./site.ts";

const site = await newLiveSite({
  project: { title: "Hearth & Clay" },
  cookies: [shopCookies],
  processings: [newsletter],
});
const [cookies = ""] = site.cookies;
const [processing = ""] = site.processings;
const own = { id: site.projectId, token: site.token };
let visitors = 0;

/** The page of a visitor who has accepted the newsletter and one of two vendors. */
async function openPerson(options: BrowserContextOptions = {}) {
  visitors += 1;
  const token = `visitor-${visitors}`;
  const preferences = { vendors: { one: true, two: false } };
  await collect(own, "cookies", cookies, { accept: true, token, preferences });
  await collect(own, "processings", processing, { accept: true, token });
  const { url } = await newLink(own, token);
  const opened = await openPage(options);
  await opened.page.goto(url);
  return { ...opened, token, url };
}

const statuses = async (token: string) =>
  readStatuses({ ...own, userId: "", cookies, processing, contract: "" }, token);

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

describe("a visitor's own page", { skip }, () => {
  it("works without scripts: one tap withdraws, the next accepts again", async () => {
    await using opened = await openPerson({ javaScriptEnabled: false });
    const { page, token, requests, faults } = opened;
    await page.getByRole("heading", { name: "Your choices at Hearth & Clay" }).waitFor();
    await button(page, "Refuse: Our newsletter").click();
    await button(page, "Accept: Our newsletter").waitFor();
    assert.equal((await statuses(token))[processing], "withdrawn");
    await button(page, "Accept: Our newsletter").click();
    await button(page, "Refuse: Our newsletter").waitFor();
    assert.equal((await statuses(token))[processing], "accepted");
    await button(page, "Refuse: One").click();
    await button(page, "Accept: One").waitFor();
    assert.equal((await statuses(token))[`${cookies}/one`], "withdrawn");
    await page.getByText("The texts you were shown (version 1)").first().click();
    const origin = new URL(page.url()).origin;
    assert.deepEqual(
      requests.filter((request) => !request.includes(` ${origin}/c/`)),
      [],
      "no request to another host",
    );
    assert.deepEqual(faults, []);
  });

  it("confirms a saved answer at its place without scripts, and undoes a withdrawal", async () => {
    await using opened = await openPerson({
      javaScriptEnabled: false,
      viewport: { width: 360, height: 640 },
    });
    const { page, token, faults } = opened;
    await button(page, "Refuse: One").click();
    const status = page.getByRole("status");
    await status.getByText(/^Saved just now, at .* One – Withdrawn$/).waitFor();
    assert.equal(await page.title(), "Saved · Your choices at Hearth & Clay");
    const { y = -1 } = (await status.boundingBox()) ?? {};
    assert.ok(y >= 0 && y < 640, `it is in view: at ${y}`);
    await button(page, "Undo: accept again").click();
    await status.getByText(/One – Accepted$/).waitFor();
    assert.equal((await statuses(token))[`${cookies}/one`], "accepted");
    assert.deepEqual(faults, []);
  });

  it("has no axe-core violations after a save, after its end, or when it is missing", async () => {
    await using opened = await openPerson();
    const { page, url } = opened;
    await button(page, "Refuse: One").click();
    await page.getByRole("status").waitFor();
    assert.deepEqual(await findViolations(page), []);
    await page.goto(`${url}?erase=ask`);
    assert.deepEqual(await findViolations(page), []);
    await button(page, "Ask for erasure").click();
    await page.getByText(/You asked for erasure on/).waitFor();
    assert.deepEqual(await findViolations(page), []);
    await page.goto(`${url}?end=ask`);
    assert.deepEqual(await findViolations(page), []);
    await page.goto(`${url}x`);
    assert.deepEqual(await findViolations(page), []);
  });

  it("has targets of at least 24 pixels, and one heading of the first level before the others", async () => {
    await using opened = await openPerson({ viewport: { width: 360, height: 640 } });
    const { page } = opened;
    const small = await page.evaluate(`[...document.querySelectorAll("button, a, summary")]
      .filter((one) => !one.closest("p") && one.checkVisibility())
      .map((one) => [one.textContent, one.getBoundingClientRect()])
      .filter(([, { width, height }]) => width < 24 || height < 24).map(([text]) => text)`);
    assert.deepEqual(small, []);
    const levels = await page.evaluate<string>(
      `[...document.querySelectorAll("h1, h2, h3")].map(({ tagName }) => tagName).join(" ")`,
    );
    assert.match(levels, /^H1( H2( H3)*)+$/);
  });

  it("works by keyboard alone, in order", async () => {
    await using opened = await openPerson();
    const { page, token } = opened;
    const seen: string[] = [];
    for (let n = 0; n < 40; n += 1) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(
        "document.activeElement.ariaLabel ?? document.activeElement.textContent",
      );
      seen.push(String(name));
      if (name === "Refuse: Our newsletter") break;
    }
    assert.equal(seen.at(-1), "Refuse: Our newsletter", seen.join(", "));
    await page.keyboard.press("Enter");
    await button(page, "Accept: Our newsletter").waitFor();
    assert.equal((await statuses(token))[processing], "withdrawn");
  });

  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [320, 1_280])
      it(`has no axe-core violations, ${colorScheme}, ${width} pixels wide`, async () => {
        await using opened = await openPerson({ colorScheme, viewport: { width, height: 900 } });
        const { page } = opened;
        for (const words of await page.locator("summary").all()) await words.click();
        assert.deepEqual(await findViolations(page), []);
        await page.emulateMedia({ media: "print" });
        assert.deepEqual(await findViolations(page), [], "printed");
        await page.emulateMedia({ media: "screen" });
        const beyond = "document.documentElement.scrollWidth - innerWidth";
        assert.ok(Number(await page.evaluate(beyond)) <= 0, "nothing overflows the edge");
      });

  it("is French in a French browser, without axe-core violations", async () => {
    await using opened = await openPerson({ locale: "fr-FR" });
    const { page } = opened;
    await page.getByRole("heading", { name: "Vos choix chez Hearth & Clay" }).waitFor();
    assert.deepEqual(await findViolations(page), []);
  });

  it("is printed with all texts, the addresses of links, and no button", async () => {
    await using opened = await openPerson();
    const { page } = opened;
    await page.emulateMedia({ media: "print" });
    for (const one of await page.locator("button, .button, nav").all())
      assert.equal(await one.isVisible(), false, await one.innerText());
    const words = page.locator("details .words").first();
    assert.ok(((await words.boundingBox())?.height ?? 0) > 20, "closed texts are printed");
    const after = `getComputedStyle(document.querySelector('#rights a[href^="http"]'), "::after").content`;
    assert.match(String(await page.evaluate(after)), /edpb/);
  });

  it("is closed permanently by its own button", async () => {
    await using opened = await openPerson({ javaScriptEnabled: false });
    const { page, url } = opened;
    await page.getByRole("link", { name: "Deactivate…" }).click();
    await page.getByRole("heading", { name: "Deactivate this address?" }).waitFor();
    await page.getByRole("link", { name: "Keep" }).click();
    await page.getByRole("link", { name: "Deactivate…" }).click();
    await button(page, "Deactivate").click();
    await page.getByRole("heading", { name: "This address is deactivated" }).waitFor();
    const answer = await page.goto(url);
    assert.equal(answer?.status(), 404);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
  });
});

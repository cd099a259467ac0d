import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findViolations } from "../widget/axe.ts";
import { skip, waitUntilTrue } from "../widget/browser.ts";
import { layouts } from "../widget/layouts.ts";
import { newLiveSite } from "../widget/site.ts";
import { type VuePage, openVuePage } from "./page.ts";

const rtl = {
  name: "shop-ar",
  language: "ar",
  steps: [
    { name: "welcome", layout: "welcome", title: "الخصوصية", message: "<p>هل نحن؟</p>" },
    {
      name: "all",
      layout: "category",
      title: "الخدمات",
      vendors: [
        { name: "one", title: "One" },
        { name: "two", title: "Two" },
      ],
    },
  ],
};
const many = {
  name: "many",
  language: "en",
  steps: [
    { name: "welcome", layout: "welcome", title: "Cookies", message: "<p>May we?</p>" },
    {
      name: "all",
      layout: "category",
      title: "Services",
      vendors: Array.from({ length: 14 }, (_, at) => ({
        name: `vendor-${at}`,
        title: `Vendor ${at}`,
        storage: [{ name: `_v${at}`, purpose: "Counts", duration: "1 day" }],
      })),
    },
  ],
};
const { projectId: project } = await newLiveSite({
  cookies: [
    ...layouts.map((one) => ({ ...one, settings: { placeholders: true } })),
    { ...rtl, settings: { placeholders: true } },
    many,
  ],
  processings: [
    {
      name: "news",
      language: "en",
      title: "News",
      message: "<p>May we write?</p>",
      purpose: "News about pots",
      processors: [{ name: "Mail", role: "Processor", website: "https://mail.example" }],
      storageDuration: 12,
    },
  ],
  contracts: [
    {
      name: "terms",
      language: "en",
      title: "Terms",
      message: "<p>Our terms.</p>",
      idRequired: true,
    },
  ],
});
const modal = await newLiveSite({
  project: { overlayStyle: { background: "rgba(0,0,0,.5)" }, colors: { main: "#7a1fa2" } },
  cookies: layouts,
});
const forms = ["news", "terms"];
const phone = { width: 375, height: 720 };
const calm = { reducedMotion: "reduce" } as const;

/** The text of the focused element, or its label. */
const focused = `((one) => (one.labels?.[0] ?? one).textContent || one.ariaLabel)(document.activeElement)`;

async function tabTo({ page }: VuePage, name: string): Promise<void> {
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate(focused)) === name) return;
  }
  assert.fail(`Tab does not reach ${name}.`);
}

describe("components for Vue", { skip }, () => {
  for (const [given, names] of [
    [{ ...calm, colorScheme: "light" }, [...layouts.map(({ name }) => name), "shop-ar", "many"]],
    [{ ...calm, colorScheme: "dark", viewport: phone }, ["shop-en", "shop-ar"]],
    [{ ...calm, forcedColors: "active" }, ["category"]],
  ] as const)
    it(`have no axe-core violations and no differences from the server: ${JSON.stringify(given)}`, async () => {
      for (const cookies of names) {
        await using opened = await openVuePage({ project, cookies, forms, ...given });
        const { page, dialog, faults } = opened;
        await dialog.waitFor();
        assert.deepEqual(await findViolations(page), [], cookies);
        const buttons = page.locator(".avow-dialog .avow-foot button");
        const choose = page.locator(".avow-dialog .avow-plain");
        if ((await choose.count()) > 0) {
          await choose.click();
          await dialog.getByRole("switch").first().waitFor();
          for (const details of await dialog.locator("summary").all())
            if (await details.isVisible()) await details.click();
          assert.deepEqual(await findViolations(page), [], `all choices of ${cookies}`);
        }
        await buttons.first().click();
        await page.locator(".avow-launcher").waitFor();
        assert.deepEqual(await findViolations(page), [], `the page of ${cookies}`);
        assert.deepEqual(faults, [], cookies);
      }
    });

  it("has buttons to accept and refuse that look alike, and large targets", async () => {
    await using opened = await openVuePage({ project, cookies: "shop-en", forms });
    const { page, dialog } = opened;
    const [refuse, accept] = await page.evaluate<
      object[]
    >(`["Refuse all", "Accept all"].map((name) => {
      const one = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name);
      const { width, height } = one.getBoundingClientRect();
      const { color, backgroundColor, font, border } = getComputedStyle(one);
      return { width: Math.round(width), height, color, backgroundColor, font, border };
    })`);
    assert.ok(refuse && "font" in refuse);
    assert.deepEqual(refuse, accept);
    const isSmall = `[...document.querySelectorAll(".avow button, .avow input, .avow summary")]
      .filter((one) => { const { width, height } = one.getBoundingClientRect(); return width && (width < 24 || height < 24); })
      .map((one) => one.outerHTML)`;
    assert.deepEqual(await page.evaluate(isSmall), []);
    await dialog.getByRole("button", { name: "Let me choose" }).click();
    await dialog.getByRole("switch").first().waitFor();
    assert.deepEqual(await page.evaluate(isSmall), []);
    assert.equal(await dialog.getByRole("switch", { checked: true }).count(), 0);
  });

  it("works by keyboard alone, and returns the focus", async () => {
    await using opened = await openVuePage({ project, cookies: "shop-en" });
    const { page, dialog } = opened;
    await dialog.waitFor();
    assert.equal(await page.evaluate("document.activeElement.localName"), "body");
    await tabTo(opened, "Let me choose");
    await page.keyboard.press("Enter");
    await dialog.getByRole("switch").first().waitFor();
    assert.equal(await page.evaluate(focused), "Cookie settings");
    await tabTo(opened, "Two");
    await page.keyboard.press("Space");
    const saved = page.waitForResponse(/consents/);
    await tabTo(opened, "Save my choices");
    await page.keyboard.press("Enter");
    const [{ preferences, grade }] = await (await saved).json();
    assert.deepEqual(preferences.vendors, { one: false, two: true });
    assert.equal(grade, "ticketed");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await page.evaluate(focused), "Cookie settings");
    await page.keyboard.press("Enter");
    await dialog.waitFor();
    assert.equal(await dialog.getByRole("switch", { name: "Two" }).isChecked(), true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await page.evaluate(focused), "Cookie settings");
  });

  it("asks in an app that only the browser renders", async () => {
    await using opened = await openVuePage({
      project,
      cookies: "shop-en",
      forms,
      isRendered: false,
    });
    const { page, dialog, faults } = opened;
    await dialog.getByRole("button", { name: "Accept all" }).click();
    await page.getByText("Both run.").waitFor();
    await page.getByText("Without a vendor.").waitFor();
    assert.equal(await page.getByText("Ungated.").count(), 0);
    await page.reload();
    await page.getByText("Both run.").waitFor();
    await page.getByRole("button", { name: "Cookie settings" }).waitFor();
    assert.equal(await dialog.count(), 0);
    assert.deepEqual(faults, []);
  });

  it("follows a published theme, and blocks the page if the project says so", async () => {
    await using opened = await openVuePage({
      project: modal.projectId,
      cookies: "shop-en",
      policy:
        "default-src 'self'; connect-src *; style-src 'self'; require-trusted-types-for 'script'",
    });
    const { page, dialog, faults } = opened;
    await waitUntilTrue(page, "document.querySelector('dialog')?.matches(':modal')");
    assert.equal(await page.evaluate(focused), "Cookies");
    const color = "getComputedStyle(document.querySelector('.avow-button')).backgroundColor";
    await waitUntilTrue(page, `${color} === 'rgb(122, 31, 162)'`);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    const other = faults.filter((fault) => !fault.includes("inline style"));
    assert.deepEqual(other, []);
  });

  it("searches among many vendors, and shows what they store", async () => {
    await using opened = await openVuePage({ project, cookies: "many" });
    const { page, dialog, faults } = opened;
    await dialog.getByRole("button", { name: "Let me choose" }).click();
    const search = dialog.getByRole("searchbox");
    await search.fill("véndor 13");
    await dialog.getByRole("switch", { name: "Vendor 13" }).waitFor();
    assert.equal(await dialog.getByRole("listitem").count(), 1);
    await dialog.getByText("Details").click();
    await dialog.getByText("_v13").waitFor();
    await search.fill("nothing");
    await dialog.getByRole("status").getByText(/\S/).waitFor();
    await search.fill("");
    await dialog.getByRole("switch", { name: "Services" }).click();
    const saved = page.waitForResponse(/consents/);
    await dialog.getByRole("button", { name: "Save my choices" }).click();
    const [{ preferences }] = await (await saved).json();
    assert.equal(Object.values(preferences.vendors).filter(Boolean).length, 14);
    assert.deepEqual(faults, []);
  });

  it("loads a frame once without an answer, or always with one", async () => {
    await using opened = await openVuePage({ project, cookies: "shop-en" });
    const { page, dialog, requests } = opened;
    const placeholder = page.getByRole("group", { name: "Content from Two A film" });
    await placeholder.getByRole("button", { name: "Load once" }).click();
    await page.frameLocator("iframe").getByText("The film.").waitFor();
    assert.ok(!requests.some((one) => one.endsWith("/consents")));
    await page.reload();
    const saved = page.waitForResponse(/consents/);
    await placeholder.getByRole("button", { name: "Always allow Two" }).click();
    const [{ preferences }] = await (await saved).json();
    assert.deepEqual(preferences.vendors, { two: true });
    await page.reload();
    await page.frameLocator("iframe").getByText("The film.").waitFor();
    // The other vendor is still asked for.
    await dialog.waitFor();
  });

  it("submits a contract with its form, and requires the tick", async () => {
    await using opened = await openVuePage({ project, cookies: "shop-en", forms });
    const { page, dialog, faults } = opened;
    await dialog.getByRole("button", { name: "Refuse all" }).click();
    const terms = page.getByRole("group", { name: "Terms" });
    const tick = terms.getByRole("checkbox");
    assert.equal(await tick.isChecked(), false);
    await page.getByRole("button", { name: "Send" }).click();
    const shown = "document.querySelector('.avow-tick input').validationMessage";
    assert.equal(await page.evaluate(shown), "Please tick this box to continue.");
    await tick.click();
    const saved = page.waitForRequest(/consents/);
    await page.getByRole("button", { name: "Send" }).click();
    const [given] = (await saved).postDataJSON() as { collection: string; accept: boolean }[];
    assert.equal(given?.collection, "contracts");
    assert.equal(given.accept, true);
    await page.getByText("Thank you.").waitFor();
    assert.deepEqual(faults, []);
  });
});

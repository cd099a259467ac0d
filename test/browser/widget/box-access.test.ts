import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { findViolations } from "./axe.ts";
import { boxAt, newsletter, terms } from "./box-sites.ts";
import { answerBy, openBoxes, openOrder, posts, refuseOnce } from "./box-visits.ts";
import { skip, waitUntilTrue } from "./browser.ts";
import { newLiveSite } from "./site.ts";
import type { Visit } from "./visits.ts";

const site = await newLiveSite({ processings: [newsletter], contracts: [terms] });
const [letters, rules] = ["processing:newsletter", "contract:terms"] as const;
const phone = { width: 375, height: 720 };
const focused = "document.activeElement?.shadowRoot?.activeElement ?? document.activeElement";

interface FocusedElement {
  name: string;
  /** The outline's width in CSS pixels; 0 without an outline. */
  outline: number;
}

function readFocused(page: Page): Promise<FocusedElement> {
  return page.evaluate(`{
    const one = ${focused};
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    const outline = outlineStyle === "none" ? 0 : parseFloat(outlineWidth);
    ({ name: (one.labels?.[0] ?? one).textContent.trim(), outline });
  }`);
}

/** Presses Tab once for each name, and asserts that it gets the focus, visibly. */
async function tabThrough(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await page.keyboard.press("Tab");
    const now = await readFocused(page);
    assert.equal(now.name, name);
    assert.ok(now.outline >= 1, `${name} has a visible focus`);
  }
}

describe("accessibility of consent and contract forms", { skip }, () => {
  for (const given of [
    { colorScheme: "light" },
    { colorScheme: "dark", viewport: phone },
    { forcedColors: "active" },
  ] as const)
    it(`has no axe-core violations in any state of both kinds: ${JSON.stringify(given)}`, async () => {
      // axe-core needs a running clock.
      const prepare = async (): Promise<void> => {};
      await using visit = await openBoxes(site, [letters, rules], { ...given, prepare });
      const { page } = visit;
      const [box, contract] = [boxAt(page, letters), boxAt(page, rules)];
      const hold = async (state: string): Promise<void> =>
        assert.deepEqual(await findViolations(page), [], state);
      await hold("asking");
      await box.getByText("Details").click();
      await hold("asking, with details");
      await refuseOnce(page);
      await box.getByRole("button", { name: "Yes, please" }).click();
      await box.getByRole("alert").waitFor();
      await hold("not saved");
      await answerBy(visit, box.getByRole("button", { name: "Yes, please" }));
      await box.getByText("See you soon.").waitFor();
      await answerBy(visit, contract.getByRole("checkbox"));
      await contract.getByText("Accepted").waitFor();
      await hold("confirming");
      await page.reload();
      for (const one of [box, contract]) await one.getByText("Accepted").waitFor();
      await hold("given");
      for (const one of [box, contract]) {
        await answerBy(visit, one.getByRole("button", { name: "Withdraw my consent" }));
        await one.getByText("Withdrawn").waitFor();
      }
      await hold("withdrawn");
    });

  it("lets the keyboard alone read, answer, change and withdraw in a consent form", async () => {
    await using visit = await openBoxes(site, [letters]);
    const { page } = visit;
    const box = boxAt(page, letters);
    await tabThrough(page, ["Details"]);
    await page.keyboard.press("Enter");
    await box.getByText("In Lyon, France.").waitFor();
    await tabThrough(page, ["mailer.example/privacy", "Yes, please", "No, thank you"]);
    await assertAnswer(visit, "Space", "Refused");
    await tabThrough(page, ["Change my answer"]);
    await page.keyboard.press("Enter");
    await box.getByRole("button", { name: "Yes, please" }).waitFor();
    assert.match(
      (await readFocused(page)).name,
      /Our newsletter/,
      "the focus is on the new screen",
    );
    await tabThrough(page, ["Details", "Yes, please"]);
    await assertAnswer(visit, "Enter", "Accepted");
    await tabThrough(page, ["Think again", "Withdraw my consent"]);
    await assertAnswer(visit, "Enter", "Withdrawn");
  });

  it("keeps the focus on the button when an answer cannot be saved", async () => {
    await using visit = await openBoxes(site, [letters]);
    const { page } = visit;
    await refuseOnce(page);
    await tabThrough(page, ["Details", "Yes, please"]);
    await page.keyboard.press("Enter");
    await boxAt(page, letters).getByRole("alert").waitFor();
    assert.equal((await readFocused(page)).name, "Yes, please");
    await assertAnswer(visit, "Enter", "Accepted");
  });

  it("lets the keyboard alone read, tick and send a contract form", async () => {
    await using shop = await openOrder(site, [rules]);
    const { page, received } = shop;
    const file = "Read the document (opens in a new tab)";
    const email = page.getByLabel("E-mail");
    await email.focus();
    await tabThrough(page, [file, "I accept the terms"]);
    await page.keyboard.press("Space");
    assert.equal(await boxAt(page, rules).getByRole("checkbox").isChecked(), true);
    await tabThrough(page, ["Order now"]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Thanks" }).waitFor();
    assert.equal(received.length, 1);
  });

  it("lets the keyboard alone accept, withdraw and accept again in a stand-alone contract form", async () => {
    await using visit = await openBoxes(site, [rules]);
    const { page } = visit;
    await tabThrough(page, ["Read the document (opens in a new tab)", "I accept the terms"]);
    await assertAnswer(visit, "Space", "Accepted");
    await tabThrough(page, ["Withdraw my consent"]);
    await assertAnswer(visit, "Enter", "Withdrawn");
    await page.keyboard.press("Shift+Tab");
    const { name } = await readFocused(page);
    assert.equal(name, "I accept the terms", "the question is just before the answer");
  });

  it("describes a form, its question and its answer to screen readers", async () => {
    await using visit = await openBoxes(site, [letters, rules]);
    const { page } = visit;
    const group = page.getByRole("group", { name: "Our newsletter" });
    await group.getByRole("button", { name: "Yes, please" }).click();
    const answered = page.getByRole("group", { name: "Welcome" });
    assert.match(await answered.locator(".state").ariaSnapshot(), /Accepted/);
    const contract = page.getByRole("group", { name: "Terms of sale" });
    assert.match(await contract.ariaSnapshot(), /checkbox "I accept the terms"/);
    assert.doesNotMatch(
      await answered.ariaSnapshot(),
      /✓/,
      "a decorative mark has no text for screen readers",
    );
  });
});

/**
 * Presses a key on the focused element, and asserts that the answer is saved and announced, and where the
 * focus is then.
 */
async function assertAnswer({ page }: Visit, key: string, state: string): Promise<void> {
  const saved = page.waitForResponse(posts);
  await page.keyboard.press(key);
  await saved;
  await page.getByText(state, { exact: true }).waitFor();
  await waitUntilTrue(page, `(${focused}).className.includes("state")`);
  assert.match((await readFocused(page)).name, new RegExp(`^${state}`));
}

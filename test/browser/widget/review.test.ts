import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { service } from "../../harness.ts";
import { newReviewLink, requireApprovals } from "../../interface/reviewing.ts";
import { findViolations } from "./axe.ts";
import { newsletter } from "./box-sites.ts";
import { openPage, skip } from "./browser.ts";
import { newLiveSite, shopCookies } from "./site.ts";

const site = await newLiveSite({
  project: { title: "Hearth & Clay" },
  cookies: [shopCookies],
  processings: [newsletter],
});
const { token, projectId } = site;
await requireApprovals(token, projectId, { required: 1, links: true });
await service.fetch(`/v1/vault/projects/${projectId}`, {
  method: "PATCH",
  token,
  json: { colors: { main: "#7a3e00" } },
});

async function openReview(options: BrowserContextOptions = {}) {
  const link = await newReviewLink(token, projectId, { mayApprove: true });
  const opened = await openPage(options);
  await opened.page.goto(link.url);
  return { ...opened, link };
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

describe("the review page of a draft", { skip }, () => {
  it("comments and approves without scripts, in two steps", async () => {
    await using opened = await openReview({ javaScriptEnabled: false });
    const { page, requests, faults } = opened;
    await page.getByRole("heading", { name: "Review of Hearth & Clay" }).waitFor();
    await page.getByText("The preview needs JavaScript").waitFor();
    await page
      .getByRole("link", { name: /^Comment on this: Step/ })
      .first()
      .click();
    const form = page.locator("#comment");
    await form.getByLabel("Comment").fill("Which cookies?");
    await button(page, "Add comment").click();
    await page.getByRole("status").getByText("Your comment was added.").waitFor();
    await page.getByText("Which cookies?").waitFor();
    await page.locator("#decision").getByLabel("Your name").fill("Ada Weber");
    await button(page, "Approve…").click();
    await page.getByRole("heading", { name: "Approve this draft?" }).waitFor();
    await button(page, "Approve").click();
    await page.getByText(/^Approved by Ada Weber on/).waitFor();
    await button(page, "Withdraw the decision").click();
    await page.getByText("Your decision was withdrawn.").first().waitFor();
    const { origin } = new URL(page.url());
    assert.deepEqual(
      requests.filter((request) => !request.includes(` ${origin}/review/`)),
      [],
      "no request to another host",
    );
    assert.deepEqual(faults, []);
  });

  it("previews the draft's banner in light and dark mode, from this service only", async () => {
    await using opened = await openReview();
    const { page, requests, faults } = opened;
    await page.locator("#preview").scrollIntoViewIfNeeded();
    for (const mode of ["light", "dark"]) {
      const frame = page.frameLocator(`iframe[title$="In ${mode} mode"]`);
      await frame.locator("avow-widget button").first().waitFor();
      const scheme = await frame.locator("html").getAttribute("data-scheme");
      assert.equal(scheme, mode);
    }
    const { origin } = new URL(page.url());
    const foreign = requests.filter((request) => !request.split(" ")[1]?.startsWith(origin));
    assert.deepEqual(foreign, []);
    assert.deepEqual(faults, []);
  });

  it("has no axe-core violations in both modes, on a phone, at each step, or when it is missing", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await using opened = await openReview({
        colorScheme,
        viewport: { width: colorScheme === "light" ? 1280 : 360, height: 800 },
      });
      const { page, link } = opened;
      assert.deepEqual(await findViolations(page), []);
      const width = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      assert.equal(width, 0, "it does not scroll sideways");
      await button(page, "Approve…").click();
      await button(page, "Approve").waitFor();
      assert.deepEqual(await findViolations(page), []);
      await button(page, "Approve").click();
      await page.getByText(/^Approved by/).waitFor();
      assert.deepEqual(await findViolations(page), []);
      await page.goto(`${link.url}x`);
      assert.deepEqual(await findViolations(page), []);
    }
  });

  it("has targets of at least 24 pixels, and headings in order", async () => {
    await using opened = await openReview({ viewport: { width: 360, height: 640 } });
    const { page } = opened;
    const small =
      await page.evaluate(`[...document.querySelectorAll("button, a, summary, input, select")]
      .filter((one) => !one.closest("p") && one.checkVisibility())
      .map((one) => [one.textContent, one.getBoundingClientRect()])
      .filter(([, { width, height }]) => width < 24 || height < 24).map(([text]) => text)`);
    assert.deepEqual(small, []);
    const levels = await page.evaluate<string>(
      `[...document.querySelectorAll("h1, h2, h3")].map(({ tagName }) => tagName).join(" ")`,
    );
    assert.match(levels, /^H1( H2( H3)*)+$/);
  });

  it("prints every text, without its forms", async () => {
    await using opened = await openReview();
    const { page } = opened;
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator("form:visible, nav:visible, iframe:visible").count(), 0);
    assert.ok((await page.locator(".part dd:visible").count()) > 5);
  });
});

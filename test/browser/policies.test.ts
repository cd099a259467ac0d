import assert from "node:assert/strict";
import { test } from "node:test";
import { service } from "../harness.ts";
import { openPage, skip } from "./widget/browser.ts";

const RENDER_MS_MAX = 120_000;

/** Reports violations of a page's policy as errors of its console, as Chromium does only for some. */
const report = `addEventListener("securitypolicyviolation", (event) =>
  console.error("violation", event.violatedDirective, event.blockedURI, event.sample));`;

async function visit(path: string) {
  const opened = await openPage();
  await opened.page.addInitScript(report);
  await opened.page.goto(service.url + path);
  return opened;
}

test("the interface reference breaks no policy while it is drawn and used", { skip }, async () => {
  await using opened = await visit("/docs");
  const { page, faults } = opened;
  // The document has hundreds of operations, which a loaded machine renders slowly.
  await page.locator(".opblock-tag").first().click({ timeout: RENDER_MS_MAX });
  await page.locator(".opblock-summary-control").first().click();
  await page.locator(".opblock-body .parameters-container, .opblock-body").first().waitFor();
  const isStyled = "getComputedStyle(document.querySelector('.topbar')).paddingTop === '8px'";
  assert.equal(await page.evaluate(isStyled), true);
  assert.deepEqual(faults, []);
});

for (const path of ["/", "/problems/not-found", "/verify", "/admin", "/account/confirmed"]) {
  test(`${path} breaks no policy and has its style`, { skip }, async () => {
    await using opened = await visit(path);
    const { page, faults } = opened;
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    const family = await page.evaluate("getComputedStyle(document.querySelector('h1')).fontFamily");
    assert.match(String(family), /system-ui|sans/, path);
    assert.deepEqual(faults, []);
  });
}

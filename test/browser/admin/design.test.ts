import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { buildAdmin } from "@avow/admin/build";
import { openDesign } from "../../../packages/lab/design/site.ts";
import { findViolations } from "../widget/axe.ts";
import { openPage, skip } from "../widget/browser.ts";

describe("the page of tokens and components", () => {
  it("is not in the production build", async () => {
    const files = await buildAdmin();
    for (const [name, text] of files) assert.ok(!text.includes("design-scheme"), name);
  });

  it("shows each component in both schemes, without axe-core violations", { skip }, async () => {
    await using site = await openDesign();
    await using visit = await openPage();
    const { page } = visit;
    await page.goto(site.url);
    await page.getByRole("heading", { level: 2, name: "Tables" }).waitFor();
    const [light, dark] = [".light", ".dark"].map((scheme) =>
      page.locator(`.design-scheme${scheme}`),
    );
    assert.ok(((await light?.count()) ?? 0) > 20);
    assert.equal(await light?.count(), await dark?.count());
    const background =
      "getComputedStyle(document.querySelector('.design-scheme.dark')).backgroundColor";
    assert.equal(await page.evaluate(background), "rgb(16, 19, 18)");
    // Each sample is there twice, with its landmarks.
    const violations = await findViolations(page);
    assert.deepEqual(
      violations.filter((one) => !one.startsWith("landmark-unique")),
      [],
    );
    assert.deepEqual(visit.faults, []);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { boxAt, club, newsletter } from "./box-sites.ts";
import { skip } from "./browser.ts";
import { newLiveSite, shopCookies } from "./site.ts";
import { openVisit, readHistory } from "./visits.ts";

const arabic = { title: "نشرتنا", language: "ar", purpose: "أخبار", name: "arabic" };
const site = await newLiveSite({
  cookies: [shopCookies],
  processings: [newsletter, arabic],
  contracts: [club],
});
const [letters, rules] = ["processing:newsletter", "contract:club"] as const;
const body = [letters, rules, "processing:arabic"]
  .map((place) => `<div data-avow="${place}"></div>`)
  .join("");
const posts = /\/v1\/app\/consents\//;

describe("what is answered in boxes", { skip }, () => {
  it("is withdrawn by one click, in any box beside a banner, each with a ticket of its own", async () => {
    await using visit = await openVisit(site, { body });
    const { page, faults } = visit;
    const box = boxAt(page, letters);
    await box.getByRole("button", { name: "Yes, please" }).click();
    await box.getByText("See you soon.").waitFor();
    await box.getByRole("button", { name: "Withdraw my consent" }).click();
    await box.getByText("Withdrawn").waitFor();
    await boxAt(page, rules).getByRole("checkbox").check();
    await boxAt(page, rules).getByText("Accepted").waitFor();
    await visit.dialog.getByRole("button", { name: "Refuse all" }).click();
    await page.getByRole("button", { name: "Cookie settings" }).waitFor();
    const token = await page.evaluate<string>("avow.token");
    const history = await readHistory(site, token);
    const told = history.filter(({ collection }) => collection !== "cookies");
    assert.deepEqual(
      told.map(({ collection, accept, grade }) => [collection, accept, grade]),
      [
        ["contracts", true, "ticketed"],
        ["processings", false, "ticketed"],
        ["processings", true, "ticketed"],
      ],
    );
    assert.deepEqual(faults, []);
  });

  it("is told to be unsaved where the service refuses it, and can be given again", async () => {
    await using visit = await openVisit(site, { body });
    const { page } = visit;
    const headers = { "access-control-allow-origin": "*" };
    await page.route(
      posts,
      (route) => route.fulfill({ headers, json: [{ status: 404, detail: "No such box." }] }),
      {
        times: 1,
      },
    );
    const box = boxAt(page, letters);
    await box.getByRole("button", { name: "Yes, please" }).click();
    await box.getByRole("alert").filter({ hasText: "could not be saved" }).waitFor();
    await box.getByRole("button", { name: "Yes, please" }).click();
    await box.getByText("See you soon.").waitFor();
  });

  it("is asked in the direction and the words of the box's language", async () => {
    await using visit = await openVisit(site, { body });
    const box = boxAt(visit.page, "processing:arabic");
    await box.getByRole("button", { name: "أوافق" }).waitFor();
    const host = box.locator("avow-widget");
    assert.deepEqual(
      [await host.getAttribute("dir"), await host.getAttribute("lang")],
      ["rtl", "ar"],
    );
  });
});

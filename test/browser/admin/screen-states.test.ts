import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { Who } from "../../../packages/lab/screenshots/admin/site.ts";
import { restoreNetwork, setNetwork } from "../../../packages/lab/screenshots/admin/network.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { site } from "./full-site.ts";
import { findScenes, patterns } from "./screen-table.ts";
import { openAdmin, settle, signIn } from "./visits.ts";

/** Screens without any request, and one that only redeems a code. */
const withoutRequests = new Set([
  "/projects/new",
  "/projects/bulk",
  "/projects/move-in",
  "/account/linked",
]);
const own = patterns.filter((pattern) =>
  /^\/(?:projects|assets|organizations|account)/.test(pattern),
);
const ofProject = own.filter((pattern) => pattern.includes(":projectId"));
const ofOrganization = own.filter((pattern) => pattern.includes(":organizationId"));

/** Texts that no user should read: codes, names of types, missing values. */
const raw =
  /\b(?:undefined|null|NaN|TypeError|HTTP|5\d\d|not-found|forbidden|internal)\b|\[object /;

async function readMain(page: Page): Promise<string> {
  return page.locator("main").innerText();
}

describe("a screen of the admin app", { skip }, async () => {
  const placeOf = (pattern: string): string => findScenes(pattern, site)[0]?.at(site) ?? "";
  const open = async (who: Exclude<Who, "nobody">) => {
    const visit = await openAdmin();
    await signIn(visit.page, site.accounts[who].email, site.accounts[who].password);
    await visit.page.getByRole("heading", { level: 1, name: "Projects" }).waitFor();
    return visit;
  };

  it("shows that it is loading, under its title", async () => {
    await using visit = await open("owner");
    const { page } = visit;
    await setNetwork(page, "slow");
    // Sign-in led to the first of these screens, which would not load again.
    await visit.go("/account/linked");
    for (const pattern of own.filter((one) => !withoutRequests.has(one))) {
      await visit.go(placeOf(pattern));
      await page.getByRole("heading", { level: 1 }).waitFor();
      const busy = page.getByRole("main").locator("[aria-busy=true]").first();
      // It is visible after a second (.late); this checks every screen without that wait.
      await busy.getByText("Loading…").waitFor({ state: "attached" });
      assert.doesNotMatch(await readMain(page), raw, pattern);
    }
    await page.getByRole("main").getByText("Loading…").first().waitFor();
    assert.deepEqual(await findViolations(page), []);
  });

  it("reports that the service failed, with the id of the request", async () => {
    await using visit = await open("owner");
    const { page } = visit;
    await setNetwork(page, "broken");
    for (const pattern of own.filter((one) => !withoutRequests.has(one))) {
      await visit.open(placeOf(pattern));
      const alert = page.getByRole("main").getByRole("alert").first();
      await alert.getByText("An unexpected error occurred. It has been logged.").waitFor();
      await alert.getByText("Request 7f3a9c20d1e84b65").waitFor();
      await page.getByRole("heading", { level: 1 }).waitFor();
      assert.doesNotMatch(await readMain(page), raw, pattern);
    }
    assert.deepEqual(await findViolations(page), []);
  });

  it("reports that the service is unreachable, and recovers by a button", async () => {
    await using visit = await open("owner");
    const { page } = visit;
    for (const pattern of own.filter((one) => !withoutRequests.has(one))) {
      await setNetwork(page, "gone");
      await visit.open(placeOf(pattern));
      const again = page.getByRole("main").getByRole("button", { name: "Try again" });
      await again.first().waitFor();
      await page
        .getByText(/The service cannot be reached/)
        .first()
        .waitFor();
      await restoreNetwork(page);
      for (let left = await again.count(); left > 0; left = await again.count()) {
        await again.first().click();
        await again.nth(left - 1).waitFor({ state: "detached" });
      }
      await page.locator("main [aria-busy=true]").first().waitFor({ state: "detached" });
      assert.equal(await page.getByRole("main").getByRole("alert").count(), 0, pattern);
    }
  });

  for (const who of ["viewer", "auditor"] as const)
    it(`of a project shows what the role ${who} may see, and explains what is for other roles`, async () => {
      await using visit = await open(who);
      const { page } = visit;
      for (const pattern of ofProject) {
        await visit.go(placeOf(pattern));
        await settle(visit);
        const main = page.getByRole("main");
        assert.equal(await main.getByRole("alert").count(), 0, `${pattern}: no error is shown`);
        assert.equal(await main.getByRole("button", { name: "Try again" }).count(), 0, pattern);
        const text = await readMain(page);
        assert.ok(text.length > 80, `${pattern}: there is only ${text}`);
      }
      assert.deepEqual(await findViolations(page), []);
    });

  it("does not exist for a user without a role", async () => {
    await using visit = await open("newcomer");
    const { page } = visit;
    for (const pattern of [...ofProject, ...ofOrganization]) {
      await visit.go(placeOf(pattern));
      await settle(visit);
      const text = await readMain(page);
      assert.doesNotMatch(text, /Hearth & Clay|Workshops|Camille/, pattern);
      assert.match(
        text,
        /not shared with you|do not have access|role does not allow|Nothing was bought/,
        pattern,
      );
    }
  });

  it("explains its empty state, and shows new users the first step", async () => {
    await using visit = await open("newcomer");
    const { page } = visit;
    for (const [place, title] of [
      ["/projects", "Create your first project"],
      ["/organizations", /organization/],
      ["/assets", /file/],
    ] as const) {
      await visit.go(place);
      await settle(visit);
      await page.locator(".empty").getByRole("heading", { name: title }).waitFor();
      assert.deepEqual(await findViolations(page), [], place);
    }
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { collect, newSite, publish } from "../../interface/site.ts";
import { findViolations } from "../widget/axe.ts";
import { readDownload, skip } from "../widget/browser.ts";
import { listFaults, openAs, openShared, waitUntilLogged } from "./visits.ts";

async function newLogged() {
  const site = await newSite();
  await publish(site);
  const answer = async (token: string): Promise<void> => {
    const { status } = await collect(site, "cookies", site.cookies, { accept: true, token });
    assert.equal(status, 201);
    await waitUntilLogged(site);
  };
  await answer("anna");
  const me = await service.fetch("/v1/auth/me", { token: site.token });
  return { ...site, email: String(me.body.email), answer };
}

describe("the logs", { skip }, () => {
  it("the audit trail lists who did what, can be searched, and is downloaded as a file", async () => {
    const site = await newLogged();
    const at = `/projects/${site.id}/audit`;
    await using visit = await openAs(site, at, { acceptDownloads: true });
    const { page } = visit;
    const row = page.getByRole("row");
    await row.filter({ hasText: "publish.done" }).first().waitFor();
    assert.ok((await row.filter({ hasText: site.email }).count()) > 3);
    await page.getByLabel("Event").fill("project.created");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await row.filter({ hasText: "publish.done" }).first().waitFor({ state: "detached" });
    await row.filter({ hasText: "project.created" }).first().waitFor();
    assert.equal(await row.filter({ hasText: "project.created" }).count(), 1);
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download (CSV)" }).click();
    const csv = await readDownload(downloading);
    assert.match(csv, /^at;event;actor;/);
    assert.equal(csv.trim().split("\n").length, 2, csv);
    assert.deepEqual(listFaults(visit), []);
  });

  it("the audit trail is visible to an auditor, and not to a viewer", async () => {
    const site = await newLogged();
    const at = `/projects/${site.id}/audit`;
    await using auditor = await openShared(site, "auditor", at);
    await auditor.page.getByRole("row").filter({ hasText: "publish.done" }).first().waitFor();
    const side = auditor.page.getByRole("navigation", { name: "Main" });
    await side.getByRole("link", { name: "Audit trail" }).waitFor();
    assert.equal(await side.getByRole("link", { name: "Team" }).count(), 0);
    await using viewer = await openShared(site, "viewer", at);
    await viewer.page.getByText(/Your role does not allow this/).waitFor();
    const menu = viewer.page.getByRole("navigation", { name: "Main" });
    await menu.getByRole("link", { name: "Team" }).waitFor();
    assert.equal(await menu.getByRole("link", { name: "Audit trail" }).count(), 0);
  });

  it("the transparency log is checked in the browser: it has grown, and a forged one is detected", async () => {
    const site = await newLogged();
    await using visit = await openAs(site, `/projects/${site.id}/log`);
    const { page } = visit;
    const check = page.getByRole("button", { name: "Check now" });
    await check.click();
    await page.getByText(/This browser sees the log for the first time/).waitFor();
    const older = await page.locator(".copyable pre").first().innerText();
    await site.answer("anton");
    await check.click();
    await page.getByText(/contains the whole tree of .*: nothing was changed/).waitFor();
    await page.getByText("Compare with an older checkpoint").click();
    await page.locator("textarea").fill("nothing of the kind");
    await check.click();
    await page.getByText("This is not a checkpoint of this log.").waitFor();
    await page.locator("textarea").fill(older);
    await check.click();
    await page.getByText(/contains the whole tree of .*: nothing was changed/).waitFor();
    await page.locator("textarea").fill("");
    assert.deepEqual(listFaults(visit), []);
    await site.answer("berta");
    // A service with an invalid consistency proof.
    await page.route("**/consistency?*", async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      const proof = body.proof.map(() => Buffer.alloc(32).toString("base64"));
      await route.fulfill({ response: answer, json: { ...body, proof } });
    });
    await check.click();
    await page.getByText(/The log was rewritten/).waitFor();
    // A service with a tree that the log did not sign.
    await page.route("**/log/checkpoint", async (route) => {
      const answer = await route.fetch();
      const [origin, size, ...rest] = (await answer.text()).split("\n");
      const body = [origin, String(Number(size) + 1), ...rest].join("\n");
      await route.fulfill({ response: answer, body });
    });
    await check.click();
    await page.getByText(/is not signed by a key that this browser knows/).waitFor();
    await page.getByText("invalid").waitFor();
  });

  for (const colorScheme of ["light", "dark"] as const)
    it(`have no axe-core violations, ${colorScheme}`, async () => {
      const site = await newLogged();
      const at = `/projects/${site.id}`;
      const options = { colorScheme, reducedMotion: "reduce" } as const;
      await using visit = await openAs(site, `${at}/audit`, options);
      const { page } = visit;
      await page.getByRole("row").filter({ hasText: "publish.done" }).first().waitFor();
      await page.locator("tbody summary").first().click();
      assert.deepEqual(await findViolations(page), []);
      await visit.open(`${at}/log`);
      await page.getByRole("button", { name: "Check now" }).click();
      await page.getByText(/This browser sees the log for the first time/).waitFor();
      await page.getByText("Compare with an older checkpoint").click();
      assert.deepEqual(await findViolations(page), []);
    });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../../harness.ts";
import { newLink, post } from "../../interface/persons.ts";
import { holdLog } from "../../interface/proofs.ts";
import { collect, newSite, publish, vendors } from "../../interface/site.ts";
import { findViolations } from "../widget/axe.ts";
import { readDownload, skip } from "../widget/browser.ts";
import { listFaults, openAs, openShared, waitUntilLogged } from "./visits.ts";

const given = (accept: boolean) => ({
  accept,
  language: "en",
  preferences: { vendors: Object.fromEntries(vendors.map(({ name }) => [name, accept])) },
});

/** A project with two visitors: one changed their answer, one refused. */
async function newAnsweredSite() {
  const site = await newSite();
  await publish(site);
  const me = await service.fetch("/v1/auth/me", { token: site.token });
  const collectAnswer = async (token: string, accept: boolean): Promise<string> => {
    const json = { ...given(accept), token };
    const { status, body } = await collect(site, "cookies", site.cookies, json);
    assert.equal(status, 201, JSON.stringify(body));
    return body.createdAt;
  };
  const acceptedAt = await collectAnswer("anna@shop/1 ä", true);
  await collectAnswer("anton", false);
  await waitUntilLogged(site);
  return { ...site, email: String(me.body.email), acceptedAt, collectAnswer };
}

describe("requests for erasure", { skip }, () => {
  it("are listed with their due date, and closed by owners without erasing", async () => {
    const site = await newAnsweredSite();
    const { url } = await newLink(site, "anton");
    assert.equal((await post(url, { do: "request-erasure" })).status, 303);
    await using visit = await openAs(site, `/projects/${site.id}/consents`);
    const { page } = visit;
    const card = page
      .locator("section.card")
      .filter({ has: page.getByRole("heading", { name: "Requests for erasure" }) });
    await card.getByRole("columnheader", { name: "Answer by" }).waitFor();
    assert.deepEqual(await findViolations(page), []);
    await card.getByRole("link", { name: "anton" }).click();
    await page.getByRole("heading", { level: 1, name: "anton" }).waitFor();
    await card.getByRole("button", { name: "Close without erasing" }).click();
    await page.getByRole("dialog").getByText("they can complain to an authority").waitFor();
    await page.getByRole("button", { name: "Close the request" }).click();
    await card.waitFor({ state: "detached" });
    assert.deepEqual(listFaults(visit), []);
  });
});

describe("an erasure that a second person confirms", { skip }, () => {
  it("is switched on in the settings, proposed by one owner and confirmed by another", async () => {
    const site = await newAnsweredSite();
    await using visit = await openAs(site, `/projects/${site.id}/settings`);
    await using other = await openShared(site, "owner", `/projects/${site.id}/consents`);
    const { page } = visit;
    await page.getByLabel("A second owner confirms each erasure").check();
    await page.getByRole("button", { name: "Save the rule" }).click();
    await page.getByText("Rule saved.").waitFor();
    await visit.go(`/projects/${site.id}/consents/anton`);
    await page.getByRole("button", { name: "Erase this person" }).click();
    await page.getByLabel("Type the token to confirm").fill("anton");
    await page.getByRole("button", { name: "Erase", exact: true }).click();
    await page.getByText("Proposed. Another owner has to confirm it by").waitFor();
    const heading = { name: "Erasures waiting for a second person" };
    await page.getByRole("heading", heading).waitFor();
    await page.getByRole("button", { name: "Withdraw" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Erase", exact: true }).count(), 0);
    assert.deepEqual(await findViolations(page), []);

    await other.page.reload();
    const row = other.page.getByRole("row", { name: "anton" }).first();
    await other.page.getByRole("heading", heading).waitFor();
    await row.getByRole("button", { name: "Erase", exact: true }).click();
    const dialog = other.page.getByRole("dialog");
    await dialog.getByText("These answers can no longer be proven").waitFor();
    await dialog.getByRole("button", { name: "Erase", exact: true }).click();
    await other.page.getByText("Erased: 1 answers.").waitFor();
    await other.page.getByRole("heading", heading).waitFor({ state: "detached" });
    const { body } = await service.fetch(hrefOf("", paths.erasures, { projectId: site.id }), {
      token: site.token,
    });
    assert.equal(body.items.length, 1);
    assert.deepEqual([...listFaults(visit), ...listFaults(other)], []);
  });
});

describe("consents", { skip }, () => {
  it("are found by token, token prefix, answer and day", async () => {
    const site = await newAnsweredSite();
    await using visit = await openAs(site, `/projects/${site.id}/consents`);
    const { page } = visit;
    const row = (name: string) => page.getByRole("row", { name });
    await row("anton").waitFor();
    await row("anna").waitFor();
    await page.getByLabel("Answer", { exact: true }).selectOption("refused");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await row("anna").waitFor({ state: "detached" });
    await row("anton").waitFor();
    assert.equal(await row("anna").count(), 0);
    // The URL contains the search, so that it can be shared.
    assert.match(page.url(), /\?answer=no$/);
    await page.reload();
    await row("anton").waitFor();
    await page.getByLabel("Answer", { exact: true }).selectOption("any");
    await page.getByLabel("Token", { exact: true }).fill("anna@shop/1 ä");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await row("anna").waitFor();
    await row("anton").waitFor({ state: "detached" });
    await page.getByLabel("Token", { exact: true }).fill("");
    await page.getByLabel("To", { exact: true }).fill("2020-01-01");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByRole("heading", { name: "No results" }).waitFor();
    await page.getByRole("tab", { name: "People" }).click();
    await page.getByLabel("Token starts with").fill("ann");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await row("anton").waitFor({ state: "detached" });
    await row("anna").waitFor();
    await page.getByLabel("State", { exact: true }).selectOption("accepted");
    await page.getByLabel("Configuration").selectOption(`${site.cookies}/matomo`);
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await row("anton").waitFor({ state: "detached" });
    await page.getByRole("columnheader", { name: "Since" }).waitFor();
    assert.match(page.url(), /status=accepted/);
    await page.getByRole("link", { name: "anna@shop/1 ä" }).click();
    await page.getByRole("heading", { level: 1, name: "anna@shop/1 ä" }).waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("are searched by the state of a person's answer", async () => {
    const site = await newAnsweredSite();
    await site.collectAnswer("anna@shop/1 ä", false);
    await collect(site, "cookies", site.cookies, {
      accept: true,
      token: "berta",
      preferences: { vendors: { matomo: true, chat: false } },
    });
    await using visit = await openAs(site, `/projects/${site.id}/consents?view=people`);
    const { page } = visit;
    const search = async (status: string) => {
      await page.getByLabel("State", { exact: true }).selectOption(status);
      await page.getByLabel("Configuration").selectOption({ label: "Banner" });
      await page.getByRole("button", { name: "Search", exact: true }).click();
    };
    const names = ["anna@shop/1 ä", "anton", "berta"];
    for (const [status, found] of [
      ["partly", "berta"],
      ["refused", "anton"],
      ["withdrawn", "anna@shop/1 ä"],
    ] as const) {
      await search(status);
      for (const name of names)
        await page
          .getByRole("rowheader", { name, exact: true })
          .waitFor({ state: name === found ? "visible" : "detached" });
    }
    // The URL contains the search.
    await page.reload();
    await page.getByRole("rowheader", { name: "anna@shop/1 ä" }).waitFor();
    assert.equal(await page.getByLabel("State", { exact: true }).inputValue(), "withdrawn");
    await search("partly");
    await page.getByRole("rowheader", { name: "berta" }).waitFor();
    // A vendor cannot be partly accepted.
    assert.equal(await page.getByLabel("Configuration").innerText(), "Banner");
    await search("expired");
    await page.getByRole("heading", { name: "No results" }).waitFor();
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(listFaults(visit), []);
  });

  it("for one token show the current and earlier states, and a proof that the browser verifies", async () => {
    const site = await newAnsweredSite();
    const token = "anna@shop/1 ä";
    await site.collectAnswer(token, false);
    const at = `/projects/${site.id}/consents/${encodeURIComponent(token)}`;
    await using visit = await openAs(site, at, { acceptDownloads: true });
    const { page } = visit;
    const state = page.getByRole("row", { name: /Matomo/ });
    await state.getByText("withdrawn").waitFor();
    // Not every browser's field has seconds, so the test sets the time by the URL, as links do.
    await visit.open(`${at}?at=${site.acceptedAt}`);
    await state.getByText("accepted").waitFor();
    await page.getByText(/In the time zone of your browser/).waitFor();
    await page.getByRole("button", { name: "Back to now" }).click();
    await state.getByText("withdrawn").waitFor();
    await page.locator(".records summary").first().click();
    await page.getByRole("button", { name: "Verify here" }).click();
    const report = page.locator(".report");
    await report.waitFor();
    assert.equal(await report.getAttribute("data-verdict"), "proven", await report.innerText());
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Proof (JSON)" }).click();
    const proof = JSON.parse(await readDownload(downloading));
    assert.equal(proof.format, "avow-proof-bundle/v1");
    assert.equal(proof.consent.record.accept, false);
    const receipt = await page
      .getByRole("link", { name: "Receipt (PDF)" })
      .evaluate(async (link) => {
        const answer = await fetch((link as unknown as { href: string }).href);
        return `${answer.status} ${answer.headers.get("content-type")}`;
      });
    assert.equal(receipt, "200 application/pdf");
    assert.deepEqual(listFaults(visit), []);
  });

  it("are verified once the log has them", async () => {
    const site = await newAnsweredSite();
    await using visit = await openAs(site, `/projects/${site.id}/consents/late`);
    const { page } = visit;
    await holdLog(async () => {
      await site.collectAnswer("late", true);
      await page.reload();
      await page.locator(".records summary").first().click();
      await page.getByRole("button", { name: "Verify here" }).click();
      await page.getByText("The answer is being added to the log").waitFor();
    });
    const report = page.locator(".report");
    await report.waitFor();
    assert.equal(await report.getAttribute("data-verdict"), "proven", await report.innerText());
    assert.deepEqual(listFaults(visit), []);
  });

  it("with a forged log fail the check: the browser keeps the checkpoint that it has seen", async () => {
    const site = await newAnsweredSite();
    await using visit = await openAs(site, `/projects/${site.id}/consents/anton`);
    const { page } = visit;
    await page.route("**/v1/app/proofs/*", async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace('"accept":false', '"accept":true');
      await route.fulfill({ response: answer, body });
    });
    await page.locator(".records summary").first().click();
    await page.getByRole("button", { name: "Verify here" }).click();
    const report = page.locator(".report");
    await report.waitFor();
    assert.equal(await report.getAttribute("data-verdict"), "broken", await report.innerText());
  });

  it("for one token are grouped by configuration with its title; unanswered and many items are folded", async () => {
    const site = await newSite();
    const fields = { projectId: site.id, name: "house_rules", title: "Rules of the house" };
    const create = async (resource: string, json: object): Promise<string> => {
      const { status, body } = await service.fetch(`/v1/vault/${resource}`, {
        token: site.token,
        json: { projectId: site.id, ...json },
      });
      assert.equal(status, 201, JSON.stringify(body));
      return body.id;
    };
    const rules = await create("contracts", { ...fields, file: "https://shop.example/rules.pdf" });
    const many = Array.from({ length: 13 }, (_, n) => ({ name: `v${n}`, title: `Vendor ${n}` }));
    const steps = [{ name: "one", layout: "category", vendors: many }];
    const long = await create("cookies", { title: "The long one", steps });
    await publish(site);
    await collect(site, "contracts", rules, { accept: true, token: "anna" });
    const answers = Object.fromEntries(many.map(({ name }, n) => [name, n < 5]));
    const preferences = { vendors: answers };
    await collect(site, "cookies", long, { accept: true, token: "anna", preferences });
    const me = await service.fetch("/v1/auth/me", { token: site.token });
    const owner = { ...site, email: String(me.body.email) };
    await using visit = await openAs(owner, `/projects/${site.id}/consents/anna`, {
      timezoneId: "Asia/Tokyo",
    });
    const { page } = visit;
    await page.getByRole("heading", { level: 3, name: /^Rules of the house/ }).waitFor();
    const whole = page.getByRole("table", { name: "Rules of the house" });
    await whole.getByText("accepted").waitFor();
    await whole.getByText(/GMT\+9/).waitFor();
    const all = page.locator(".states summary", { hasText: "All 13" });
    await all.getByText("5 accepted").waitFor();
    await all.getByText("8 refused").waitFor();
    const row = page.getByRole("row", { name: /Vendor 12/ });
    assert.equal(await row.isVisible(), false);
    await all.click();
    await row.getByText("refused").waitFor();
    const never = page.locator(".never");
    assert.equal(await never.isVisible(), false);
    await page.getByText(/^Never asked: \d/).click();
    await never.getByText("Newsletter").waitFor();
    assert.equal(await page.getByText("house_rules").count(), 0);
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(listFaults(visit), []);
  });

  it("have a switch for visitor links, for roles that may write", async () => {
    const site = await newAnsweredSite();
    await using visit = await openAs(site, `/projects/${site.id}/consents`);
    const { page } = visit;
    const box = page.getByRole("checkbox", { name: /Visitors can open it themselves/ });
    assert.equal(await box.isChecked(), true);
    await box.uncheck();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.").waitFor();
    const href = hrefOf("", paths.personLinks, { id: site.id });
    assert.equal((await service.fetch(href, { json: { token: "anton" } })).status, 403);
    await page.reload();
    await box.waitFor();
    assert.equal(await box.isChecked(), false);
    await box.check();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.").waitFor();
    assert.equal((await service.fetch(href, { json: { token: "anton" } })).status, 201);
    await using viewed = await openShared(site, "viewer", `/projects/${site.id}/consents`);
    await viewed.page.getByRole("link", { name: "anton" }).waitFor();
    assert.equal(await viewed.page.getByRole("button", { name: "Save", exact: true }).count(), 0);
    assert.deepEqual(listFaults(visit), []);
  });

  it("are erased by an owner who types the token, and a receipt is shown", async () => {
    const site = await newAnsweredSite();
    const at = `/projects/${site.id}/consents/anton`;
    await using visit = await openAs(site, at, { acceptDownloads: true });
    const { page } = visit;
    await page.getByRole("button", { name: "Erase this person" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Type the token to confirm").fill("antonia");
    await dialog.getByRole("button", { name: "Erase", exact: true }).click();
    await dialog.getByText("This is not the token.").waitFor();
    await dialog.getByLabel("Type the token to confirm").fill("anton");
    const downloading = page.waitForEvent("download");
    await holdLog(async () => {
      await dialog.getByRole("button", { name: "Erase", exact: true }).click();
      await dialog.getByText(/^Erased: 1 answers/).waitFor();
      const pending = page.waitForResponse((answer) => answer.status() === 202);
      await dialog.getByRole("button", { name: "Receipt of the erasure" }).click();
      await pending;
    });
    const receipt = JSON.parse(await readDownload(downloading));
    assert.equal(receipt.format, "avow-erasure-receipt/v1");
    assert.equal(receipt.erasure[0].record.projectId, site.id);
    const list = hrefOf("", paths.consents, { projectId: site.id }, { token: "anton" });
    assert.deepEqual((await service.fetch(list, { token: site.token })).body, []);
    await dialog.getByRole("link", { name: "Back to consents" }).click();
    await page.getByRole("row", { name: "anna" }).waitFor();
    assert.equal(await page.getByRole("row", { name: "anton" }).count(), 0);
    assert.deepEqual(listFaults(visit), []);
  });

  for (const role of ["viewer", "auditor"] as const)
    it(`can be read, but not erased, by the role ${role}`, async () => {
      const site = await newAnsweredSite();
      await using visit = await openShared(site, role, `/projects/${site.id}/consents`);
      const { page } = visit;
      await page.getByRole("link", { name: "anton" }).click();
      await page.getByRole("cell", { name: "refused" }).first().waitFor();
      await page.getByRole("heading", { name: "Answers" }).waitFor();
      const side = page.getByRole("navigation", { name: "Main" });
      await side.getByText(/^Shop/).waitFor();
      assert.equal(await page.getByRole("button", { name: /Erase/ }).count(), 0);
      assert.equal(await side.getByRole("link", { name: "Overview" }).count(), 1);
      assert.equal(
        await side.getByRole("link", { name: "Publish" }).count(),
        role === "auditor" ? 0 : 1,
      );
    });

  for (const colorScheme of ["light", "dark"] as const)
    it(`have no axe-core violations, ${colorScheme}`, async () => {
      const site = await newAnsweredSite();
      const at = `/projects/${site.id}/consents`;
      await using visit = await openAs(site, at, { colorScheme, reducedMotion: "reduce" });
      const { page } = visit;
      await page.getByRole("link", { name: "anton" }).waitFor();
      assert.deepEqual(await findViolations(page), []);
      await visit.open(`${at}?view=people`);
      await page.getByRole("link", { name: "anton" }).waitFor();
      assert.deepEqual(await findViolations(page), []);
      await page.getByRole("link", { name: "anton" }).click();
      await page.locator(".records summary").first().click();
      await page.getByRole("button", { name: "Verify here" }).click();
      await page.locator(".report").waitFor();
      assert.deepEqual(await findViolations(page), []);
      await page.getByRole("button", { name: "Erase this person" }).click();
      await page.getByRole("dialog").waitFor();
      assert.deepEqual(await findViolations(page), []);
    });
});

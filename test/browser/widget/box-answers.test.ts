import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { service } from "../../harness.ts";
import { boxAt, club, newsletter, terms } from "./box-sites.ts";
import { answerBy, openBoxes, posts, refuseOnce } from "./box-visits.ts";
import { skip } from "./browser.ts";
import { newLiveSite, shopCookies, toPage } from "./site.ts";
import { assertTimes, openVisit, readHistory, stopClock } from "./visits.ts";

const french = { ...newsletter, language: "fr", title: "Notre lettre", buttons: [] };
const site = await newLiveSite({
  cookies: [shopCookies],
  processings: [newsletter, french],
  contracts: [club],
});
const [letters, rules] = ["processing:newsletter", "contract:club"] as const;

/** Adds a form's placeholder by script, inside an HTML form with a button when `button` is given. */
function add(page: Page, place: string, button = ""): Promise<unknown> {
  return page.evaluate(`{
    const [box, form, send] = ["div", "form", "button"].map((name) => document.createElement(name));
    box.dataset.avow = ${JSON.stringify(place)};
    send.textContent = ${JSON.stringify(button)};
    form.append(box, send);
    document.querySelector("main").append(send.textContent ? form : box);
  }`);
}

describe("an answer in a consent or contract form", { skip }, () => {
  it("is withdrawn by one click next to a banner, with its own display ticket", async () => {
    await using visit = await openBoxes(site, [letters, rules]);
    const { page, faults } = visit;
    const box = boxAt(page, letters);
    await answerBy(visit, box.getByRole("button", { name: "Yes, please" }));
    await box.getByText("See you soon.").waitFor();
    await answerBy(visit, box.getByRole("button", { name: "Withdraw my consent" }));
    await box.getByText("Withdrawn").waitFor();
    await answerBy(visit, boxAt(page, rules).getByRole("checkbox"));
    await boxAt(page, rules).getByText("Accepted").waitFor();
    await answerBy(visit, visit.dialog.getByRole("button", { name: "Refuse all" }));
    await visit.launcher.waitFor();
    const history = await readHistory(site, await page.evaluate<string>("avow.token"));
    assert.deepEqual(
      history.map(({ collection, accept, grade }) => [collection, accept, grade]),
      [
        ["cookies", false, "ticketed"],
        ["contracts", true, "ticketed"],
        ["processings", false, "ticketed"],
        ["processings", true, "ticketed"],
      ],
    );
    assert.deepEqual(faults, []);
  });

  it("is reported as unsaved when the service rejects it, and can be repeated", async () => {
    await using visit = await openBoxes(site, [letters]);
    const { page } = visit;
    await refuseOnce(page);
    const box = boxAt(page, letters);
    await box.getByRole("button", { name: "Yes, please" }).click();
    const alert = box.getByRole("alert");
    await alert.filter({ hasText: "could not be saved" }).waitFor();
    assert.equal(await box.getByText("Accepted").count(), 0);
    const { accept } = await answerBy(visit, box.getByRole("button", { name: "Yes, please" }));
    assert.equal(accept, true);
    await box.getByText("See you soon.").waitFor();
    assert.equal(await alert.count(), 0);
  });

  it("can be changed to the other answer and back, with a record of each", async () => {
    await using visit = await openBoxes(site, [letters]);
    const box = boxAt(visit.page, letters);
    const { token } = await answerBy(visit, box.getByRole("button", { name: "No, thank you" }));
    await box.getByText("We will not write.").waitFor();
    const withdrawing = box.getByRole("button", { name: "Withdraw my consent" });
    assert.equal(await withdrawing.count(), 0, "no button to withdraw");
    await box.getByRole("button", { name: "Change my answer" }).click();
    await answerBy(visit, box.getByRole("button", { name: "Yes, please" }));
    await box.getByText("See you soon.").waitFor();
    const history = await readHistory(site, token);
    assert.deepEqual(
      history.map(({ accept, value }) => [accept, value]),
      [
        [true, "yes"],
        [false, "never"],
      ],
    );
  });

  it("is possible in placeholders added after the widget ran, the first and a later one", async () => {
    await using visit = await openVisit(site);
    const { page, dialog, faults } = visit;
    await dialog.getByRole("button", { name: "Refuse all" }).click();
    await visit.launcher.waitFor();
    const asksFor = (name: string): boolean => visit.requests.some((one) => one.includes(name));
    assert.equal(asksFor("/widget/boxes."), false, "a page without forms does not load their code");
    await add(page, letters);
    await boxAt(page, letters).getByRole("button", { name: "Yes, please" }).waitFor();
    await add(page, rules, "Join");
    await page.evaluate(`addEventListener("submit", (event) => event.preventDefault())`);
    await boxAt(page, rules).getByRole("checkbox").check();
    await answerBy(visit, page.getByRole("button", { name: "Join" }));
    await boxAt(page, rules).getByText("Accepted").waitFor();
    assert.equal(await boxAt(page, letters).locator("avow-widget").count(), 1);
    assert.deepEqual(faults, []);
  });

  it("is asked in the visitor's language, and recorded with it", async () => {
    for (const given of [
      { lang: "fr" },
      { lang: "en", attributes: 'data-language="fr"' },
      { lang: "", locale: "fr-FR" },
    ]) {
      await using visit = await openBoxes(site, [letters], given);
      const box = boxAt(visit.page, letters);
      const saying = (text: string): Promise<void> =>
        box.getByText(text, { exact: true }).waitFor();
      for (const text of ["Notre lettre", "Finalité", "Non merci"]) await saying(text);
      const consent = await answerBy(visit, box.getByRole("button", { name: "J’accepte" }));
      assert.deepEqual(
        [consent["identifier"], consent["language"]],
        [site.processings[1], "fr"],
        JSON.stringify(given),
      );
      await saying("Accepté");
      await saying("Retirer mon consentement");
      assert.equal(await box.locator("avow-widget").getAttribute("lang"), "fr");
    }
  });
});

describe("an earlier answer", { skip }, () => {
  it("stands after a change of wording, and is asked for again after a material change", async () => {
    const own = await newLiveSite({ processings: [newsletter], contracts: [terms] });
    const patch = async (path: string, json: Record<string, unknown>): Promise<void> => {
      const asked = { method: "PATCH", token: own.token, json };
      const { status, body } = await service.fetch(`/v1/vault/${path}`, asked);
      assert.equal(status, 200, JSON.stringify(body));
    };
    const [box, contract] = [`processings/${own.processings[0]}`, `contracts/${own.contracts[0]}`];
    await using visit = await openBoxes(own, [letters, "contract:terms"], {
      prepare: async (page) => {
        await stopClock(page);
        // A page with a route has no HTTP cache, like a visitor who returns another day.
        await page.route(/\.json$/, (route) => route.continue());
      },
    });
    const { page } = visit;
    const [asked, agreed] = [boxAt(page, letters), boxAt(page, "contract:terms")];
    await answerBy(visit, asked.getByRole("button", { name: "Yes, please" }));
    await answerBy(visit, agreed.getByRole("checkbox"));
    await agreed.getByText("Accepted").waitFor();
    await patch(box, { message: "<p>May we send you a letter?</p>", title: "Our letter" });
    await patch(contract, { message: "<p>The rights and duties of buyer and seller.</p>" });
    await own.publish();
    await page.reload();
    await agreed.getByText("The rights and duties of buyer and seller.").waitFor();
    assert.equal(await agreed.getByText("Accepted").count(), 1);
    assert.equal(await agreed.getByRole("checkbox").count(), 0);
    await asked.getByText("Accepted").waitFor();
    await asked.getByRole("button", { name: "Think again" }).click();
    await asked.getByText("May we send you a letter?").waitFor();
    await patch(box, { purpose: "To sell your address." });
    await patch(contract, { file: "https://shop.example/terms-2027.pdf" });
    await own.publish();
    await page.reload();
    await asked.getByText("To sell your address.").waitFor();
    assert.equal(await asked.getByRole("button", { name: "Yes, please" }).count(), 1);
    assert.equal(await agreed.getByRole("checkbox").isChecked(), false);
    for (const one of [asked, agreed]) assert.equal(await one.getByText("Accepted").count(), 0);
    const { version, accept } = await answerBy(visit, agreed.getByRole("checkbox"));
    assert.deepEqual([version, accept], [3, true]);
  });

  it("belongs to a token: under another one it is hidden, and the form asks", async () => {
    const given = { attributes: 'data-token="ann"' };
    await using visit = await openBoxes(site, [letters], {
      ...given,
      pages: {
        "/bob": `<!doctype html><html lang="en"><title>Bob</title><div data-avow="${letters}"></div>
<script src="${service.url}/widget.js" data-project="${site.projectId}" data-token="bob"></script>`,
      },
    });
    const { page, shop } = visit;
    const box = boxAt(page, letters);
    const { token } = await answerBy(visit, box.getByRole("button", { name: "Yes, please" }));
    assert.equal(token, "ann");
    await box.getByText("Accepted").waitFor();
    await page.goto(`${shop.url}/bob`);
    await box.getByRole("button", { name: "Yes, please" }).waitFor();
    assert.equal(await box.getByText("Accepted").count(), 0);
  });

  it("has its display, both clocks, the version, the language and the page in its record", async () => {
    const own = await newLiveSite({ processings: [newsletter] });
    const before = Date.now();
    const body = `<main><h1>Shop</h1><div data-avow="${letters}"></div></main>`;
    const pages = { "/letters": toPage(own.projectId, { body }) };
    await using visit = await openVisit(own, { pages });
    const { page, shop } = visit;
    const ticketed = page.waitForResponse(/\/v1\/app\/tickets\//);
    await page.goto(`${shop.url}/letters?email=ann%40shop.example`);
    await ticketed;
    const yes = boxAt(page, letters).getByRole("button", { name: "Yes, please" });
    const posted = page.waitForRequest(posts);
    const { token } = await answerBy(visit, yes);
    const [sent] = (await posted).postDataJSON() as { ticket?: string }[];
    assert.ok(sent?.ticket, "the display ticket goes with the answer");
    const [record, ...more] = await readHistory(own, token);
    assert.deepEqual(more, []);
    assertTimes(record, before);
    assert.deepEqual(record, {
      ...record,
      grade: "ticketed",
      url: `${shop.url}/letters`,
      language: "en",
      version: 1,
      collection: "processings",
      identifier: own.processings[0],
      accept: true,
      value: "yes",
    });
    assert.doesNotMatch(JSON.stringify(record), /ann/);
  });
});

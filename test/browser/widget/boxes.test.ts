import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { newsletter } from "./box-sites.ts";
import { answerBy, openBoxes } from "./box-visits.ts";
import { skip } from "./browser.ts";
import { newLiveSite } from "./site.ts";
import { readHistory } from "./visits.ts";

describe("a consent form", { skip }, () => {
  it("shows all information before it asks, saves the answer with its proof, and shows it again", async () => {
    const site = await newLiveSite({ processings: [newsletter] });
    await using visit = await openBoxes(site, [`processing:${site.processings[0]}`]);
    const { page, faults, requests } = visit;
    const box = page.getByRole("group", { name: "Our newsletter" });
    await box.getByText("Once a month, nothing else").waitFor();
    assert.equal(await box.locator("strong").textContent(), "write to you");
    assert.equal(await box.getByText("To send news of the shop by e-mail.").isVisible(), true);
    await box.getByText("Details").click();
    for (const text of [
      "Mailer – Sends the letters",
      "In Lyon, France.",
      "First name",
      "12 months",
    ])
      assert.equal(await box.getByText(text).isVisible(), true, text);
    for (const text of ["Topics are chosen by what you open.", "Here at any time"])
      assert.equal(await box.getByText(text).isVisible(), true, text);
    const website = box.getByRole("link", { name: "mailer.example/privacy" });
    assert.equal(await website.getAttribute("rel"), "noreferrer");
    const consent = await answerBy(visit, box.getByRole("button", { name: "Yes, please" }));
    assert.equal(consent.grade, "ticketed");
    assert.deepEqual(
      ["collection", "identifier", "accept", "value", "language"].map((name) => consent[name]),
      ["processings", site.processings[0], true, "yes", "en"],
    );
    await page.getByRole("group", { name: "Welcome" }).getByText("See you soon.").waitFor();
    const [kept] = await readHistory(site, consent.token);
    assert.equal(kept?.consentId, consent.consentId);
    requests.length = 0;
    await page.reload();
    await page.getByText("Accepted").waitFor();
    await page.waitForLoadState("networkidle");
    assert.deepEqual(
      // Once a day the widget asks whether an answer was changed on the visitor's own page.
      requests.filter((sent) => sent.includes("/v1/") && !sent.endsWith("/answers")),
      [],
      "a stored answer is shown without asking the service",
    );
    assert.deepEqual(faults, []);
  });
});

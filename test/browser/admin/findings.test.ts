import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findingsFr } from "../../../packages/admin/words/findings/fr.ts";
import { rules } from "../../../packages/server/modules/publish/check/rules/rules.ts";
import { service } from "../../harness.ts";
import { newSite, publishAndWait } from "../../interface/publishing.ts";
import { skip } from "../widget/browser.ts";
import { listFaults, openAs } from "./visits.ts";

/** Stands for the names in any finding. */
const about = ["Zébulon", "Ératosthène"];
const path = "/client/colors/text";

describe("findings in French", () => {
  for (const id of [...rules.map((rule) => rule.id), "plan"])
    it(`include texts for the rule ${id}: a message and a fix`, () => {
      const finding = findingsFr[id]?.(about, { path });
      for (const text of [finding?.message, finding?.fix])
        assert.match(text ?? "", /^\S.{9,300}\.$/);
    });

  it("include no texts for an unknown rule", () => {
    const known = [...rules.map(({ id }) => id), "plan"].toSorted();
    assert.deepEqual(Object.keys(findingsFr).toSorted(), known);
  });

  it("are shown on the screens, with the names that they refer to", { skip }, async () => {
    const site = await newSite();
    const { id } = site.project;
    await publishAndWait(site.token, id);
    const steps = [
      { name: "stats", layout: "category", vendors: [{ name: "piwik", title: "Piwik" }] },
    ];
    const patch = (at: string, json: object) =>
      service.fetch(at, { method: "PATCH", token: site.token, json });
    await patch(`/v1/vault/cookies/${site.cookies.id}`, { steps });
    const colors = { text: "#eeeeee", background: "#ffffff" };
    await patch(`/v1/vault/projects/${id}`, { colors });
    await using visit = await openAs(site, `/projects/${id}/publish`, { locale: "fr-FR" });
    const { page } = visit;
    await page.getByText(/Le texte a un contraste de 1\.2 pour 1 avec le fond\./).click();
    await page.getByText(/Choisissez une couleur d’au moins 4\.5 pour 1/).waitFor();
    await page.getByText("« Piwik » n’a pas de description.").waitFor();
    const english = page.locator("main [lang=en]:visible").filter({ hasNotText: /WCAG/ });
    assert.deepEqual(await english.allInnerTexts(), []);
    await visit.open(`/projects/${id}/cookies/${site.cookies.id}`);
    await page
      .getByText(/«\s*Piwik\s*» n’a pas de politique de confidentialité\./)
      .last()
      .waitFor();
    assert.deepEqual(listFaults(visit), []);
  });
});

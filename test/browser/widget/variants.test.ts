import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { publishAndWait } from "../../interface/publishing.ts";
import { skip } from "./browser.ts";
import { newLiveSite } from "./site.ts";
import { openVisit, press } from "./visits.ts";

const vendors = [{ name: "one", title: "One" }];
const banner = (name: string, title: string, settings = {}) => ({
  name,
  title,
  language: "en",
  settings,
  steps: [
    { name: "welcome", layout: "welcome", title, message: "<p>May we?</p>" },
    { name: "all", layout: "category", title: "Services", vendors },
  ],
});
const site = await newLiveSite({
  cookies: [
    banner("plain", "Plain banner", { launcher: "top-right" }),
    banner("warm", "Warm banner", { variantOf: "plain", share: 30 }),
  ],
});

const withRandom = (value: number) => ({
  prepare: (page: { addInitScript: (text: string) => Promise<unknown> }) =>
    page.addInitScript(`Math.random = () => ${value}`),
});

describe("an A/B test", { skip }, () => {
  it("shows each variant to its share of displays, and stores nothing before an answer", async () => {
    for (const [random, title] of [
      [0.29, "Warm banner"],
      [0.31, "Plain banner"],
    ] as const) {
      await using visit = await openVisit(site, withRandom(random));
      await visit.dialog.getByRole("heading", { name: title }).waitFor();
      assert.deepEqual(await visit.page.context().cookies(), []);
      assert.equal(await visit.page.evaluate("localStorage.length + sessionStorage.length"), 0);
    }
  });

  it("keeps the variant that was answered, and records it", async () => {
    await using visit = await openVisit(site, withRandom(0.1));
    const { page, dialog, launcher } = visit;
    await dialog.getByRole("heading", { name: "Warm banner" }).waitFor();
    const record = await press(visit, "Accept all");
    assert.equal(record["identifier"], site.cookies[1]);
    await page.addInitScript("Math.random = () => 0.9");
    await page.reload();
    await launcher.waitFor();
    assert.equal(await dialog.count(), 0, "the answer counts for both");
    await launcher.click();
    const again = await press(visit, "Refuse all");
    assert.equal(again["identifier"], site.cookies[1]);
  });

  it("places the button that reopens the choices", async () => {
    await using visit = await openVisit(site, withRandom(0.9));
    await press(visit, "Refuse all");
    const box = await visit.launcher.boundingBox();
    const { width = 0 } = visit.page.viewportSize() ?? {};
    assert.ok(box && box.y < 100 && box.x > width - 100, JSON.stringify(box));
  });

  it("never shows a variant with errors of the publish check, even if an owner forces the publication", async () => {
    const own = await newLiveSite({ cookies: [banner("plain", "Plain banner")] });
    const create = async (fields: object): Promise<string> => {
      const { body } = await service.fetch("/v1/vault/cookies", {
        token: own.token,
        json: { projectId: own.projectId, ...fields },
      });
      return body.id;
    };
    const refusing = { strings: { refuseAll: " " } };
    const errors = [
      await create({ ...banner("a", "A", { variantOf: "plain" }), ...refusing }),
      await create(banner("b", "B", { variantOf: "nobody" })),
      await create({ ...banner("c", "C", { variantOf: "plain" }), language: "fr" }),
    ];
    const forced = await create({ ...banner("d", "D"), ...refusing });
    const job = await publishAndWait(own.token, own.projectId, { force: true });
    assert.equal(job.status, "Done", job.message);
    const { body: file } = await service.fetch(`/cdn/${own.projectId}.json`);
    const published = file.cookies.map((one: { identifier: string }) => one.identifier);
    assert.deepEqual(new Set(published), new Set([own.cookies[0], forced]));
    for (const id of errors) assert.ok(!published.includes(id));
  });
});

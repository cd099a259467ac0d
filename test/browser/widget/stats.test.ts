import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readStats, totalsOf } from "../../interface/stats.ts";
import { newsletter } from "./box-sites.ts";
import { answerBy, openBoxes } from "./box-visits.ts";
import { skip } from "./browser.ts";
import { newLiveSite, shopCookies } from "./site.ts";
import { openVisit, press } from "./visits.ts";

const site = await newLiveSite({ cookies: [shopCookies], processings: [newsletter] });
const android =
  "Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36";
const of = { token: site.token, id: site.projectId };

/** A project's statistics, grouped by `group`. */
async function readBy(group: string, configuration = ""): Promise<Record<string, object>> {
  const query = configuration === "" ? { group } : { group, configuration };
  return totalsOf(await readStats(of, query));
}

describe("a displayed banner", { skip }, () => {
  it("is counted by step and device, once each time that a visitor is asked", async () => {
    await using ignored = await openVisit(site);
    await ignored.dialog.waitFor();
    await ignored.page.waitForLoadState("networkidle");
    await using answered = await openVisit(site, {
      isMobile: true,
      hasTouch: true,
      userAgent: android,
    });
    await press(answered, "Refuse all");
    // The visitor opened it, so it does not count as asking.
    await answered.launcher.click();
    await answered.dialog.waitFor();
    await answered.page.waitForLoadState("networkidle");
    const [cookies = ""] = site.cookies;
    const one = { shown: 1, accepted: 0, partly: 0, refused: 0, ignored: 0 };
    assert.deepEqual(await readBy("device", cookies), {
      desktop: { ...one, ignored: 1 },
      mobile: { ...one, refused: 1 },
    });
    const both = { ...one, shown: 2, refused: 1, ignored: 1 };
    assert.deepEqual(await readBy("step", cookies), { welcome: both });
  });

  it("is counted as a consent form until it is answered", async () => {
    await using visit = await openBoxes(site, [`processing:${site.processings[0]}`]);
    const box = visit.page.getByRole("group", { name: "Our newsletter" });
    await answerBy(visit, box.getByRole("button", { name: "Yes, please" }));
    await visit.page.reload();
    await visit.page.getByText("Accepted").hover();
    await visit.page.waitForLoadState("networkidle");
    const counted = { shown: 1, accepted: 1, partly: 0, refused: 0, ignored: 0 };
    assert.deepEqual(await readBy("step", site.processings[0]), { "": counted });
  });
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { skip } from "../widget/browser.ts";
import { newLiveSite } from "../widget/site.ts";
import { openVisit, press, waitForWidgetEvent } from "../widget/visits.ts";

const vendors = ["clarity", "microsoft_ads", "meta_pixel", "matomo", "piwik_pro"];
const site = await newLiveSite({
  cookies: [
    {
      name: "shop-en",
      language: "en",
      isDefault: true,
      googleConsentMode: { default: {} },
      steps: [
        {
          name: "partners",
          layout: "category",
          title: "Cookies",
          vendors: vendors.map((name) => ({
            name,
            title: name,
            googleConsentMode: name === "clarity" ? ["analytics_storage"] : ["ad_storage"],
          })),
        },
      ],
    },
  ],
});

/** The HTML of a guide below a heading, up to the next one. */
function readHtml(guide: string, heading: string): string {
  const page = readFileSync(new URL(`../../../docs/guides/${guide}.md`, import.meta.url), "utf8");
  const [, section = ""] = new RegExp(`^#+ ${heading}\\n([^]*?)(?=^##)`, "m").exec(page) ?? [];
  const blocks = [...section.matchAll(/^```html\n([^]*?)^```/gm)].map(([, html = ""]) => html);
  assert.ok(blocks.length > 0, `${guide} has a script below ${heading}`);
  return blocks.join("");
}

/** Opens a page with a script of the guide; `before` is the stand-in of the vendor. */
function openRecipe(heading: string, before = "") {
  const helper = readHtml("vendor-consent", "Listen for answers");
  return openVisit(site, {
    // The scripts are inline.
    policy: `default-src 'self' 'unsafe-inline' ${service.url}`,
    head: `${helper}<script>${before}</script>${readHtml("vendor-consent", heading)}`,
  });
}

/** A function with this name that records its calls in `calls`. */
const toRecorder = (name: string): string =>
  `var calls = []; ${name} = (...values) => calls.push(values);`;

/** The calls without functions. */
const readCalls = "calls.map((values) => JSON.parse(JSON.stringify(values)))";

const cases: {
  heading: string;
  before?: string;
  read: string;
  /** The calls before an answer; after a refusal; then after an acceptance; and on the next page. */
  expected: [unknown[], unknown[], unknown[], unknown[]];
}[] = [
  {
    heading: "Microsoft Clarity",
    read: "clarity.q.map((values) => [...values])",
    expected: [
      [["consentv2", { ad_Storage: "denied", analytics_Storage: "denied" }]],
      [["consentv2", { ad_Storage: "denied", analytics_Storage: "denied" }]],
      [["consentv2", { ad_Storage: "granted", analytics_Storage: "granted" }]],
      [["consentv2", { ad_Storage: "granted", analytics_Storage: "granted" }]],
    ],
  },
  {
    heading: "Meta Pixel",
    before: toRecorder("fbq"),
    read: readCalls,
    expected: [
      [
        ["consent", "revoke"],
        ["consent", "revoke"],
      ],
      [["consent", "revoke"]],
      [["consent", "grant"]],
      [
        ["consent", "revoke"],
        ["consent", "grant"],
      ],
    ],
  },
  {
    heading: "Limited data use",
    before: toRecorder("fbq"),
    read: readCalls,
    expected: [
      [
        ["dataProcessingOptions", ["LDU"], 0, 0],
        ["init", "PIXEL"],
        ["track", "PageView"],
      ],
      [],
      [],
      [
        ["dataProcessingOptions", [], 0, 0],
        ["init", "PIXEL"],
        ["track", "PageView"],
      ],
    ],
  },
  {
    heading: "Matomo",
    read: "_paq",
    expected: [
      [["requireConsent"]],
      [],
      [["setConsentGiven"]],
      [["requireConsent"], ["setConsentGiven"]],
    ],
  },
  {
    heading: "Piwik PRO",
    before: `var ppms = { cm: {} }; ${toRecorder("ppms.cm.api")}`,
    read: readCalls,
    expected: [
      [],
      [["setComplianceSettings", { consents: { analytics: { status: 0 } } }, null, null]],
      [["setComplianceSettings", { consents: { analytics: { status: 1 } } }, null, null]],
      [],
    ],
  },
];

describe("docs/guides/vendor-consent.md", { skip }, () => {
  for (const { heading, before, read, expected } of cases)
    it(`passes each answer to ${heading}`, async () => {
      await using visit = await openRecipe(heading, before);
      const { page, dialog, launcher, faults } = visit;
      const [first, refused, accepted, next] = expected;
      await dialog.waitFor();
      assert.deepEqual(await page.evaluate(read), first);
      await press(visit, "Refuse all");
      assert.deepEqual(await page.evaluate(read), [...first, ...refused]);
      await launcher.click();
      await press(visit, "Accept all");
      assert.deepEqual(await page.evaluate(read), [...first, ...refused, ...accepted]);
      await page.reload();
      await launcher.waitFor();
      assert.deepEqual(await page.evaluate(read), next);
      assert.deepEqual(faults, []);
    });

  it("withdraws consent from Matomo", async () => {
    await using visit = await openRecipe("Matomo");
    const { page, launcher } = visit;
    await press(visit, "Accept all");
    await launcher.click();
    const answered = waitForWidgetEvent(page, "answered");
    await press(visit, "Refuse all");
    await answered;
    assert.deepEqual(await page.evaluate("_paq"), [
      ["requireConsent"],
      ["setConsentGiven"],
      ["forgetConsentGiven"],
    ]);
  });
});

describe("docs/guides/consent-mode.md", { skip }, () => {
  it("sets defaults by region, and the widget only updates them", async () => {
    const html = readHtml("consent-mode", "Defaults by region")
      .replace("https://consent.example", service.url)
      .replace("PROJECT", site.projectId);
    await using visit = await openVisit(site, {
      path: "/regions",
      pages: {
        "/regions": `<!doctype html><html lang="en"><head><title>Shop</title>${html}</head><body><h1>Shop</h1></body></html>`,
      },
      policy: `default-src 'self' 'unsafe-inline' ${service.url}`,
    });
    await press(visit, "Accept all");
    const commands = await visit.page.evaluate<[string, string, Record<string, unknown>][]>(
      "dataLayer.filter((one) => one[0] === 'consent').map((one) => [...one])",
    );
    assert.deepEqual(
      commands.map(([, kind, { region, analytics_storage: state }]) => [kind, region, state]),
      [
        ["default", undefined, "denied"],
        ["default", ["US"], "granted"],
        ["update", undefined, "granted"],
      ],
    );
  });
});

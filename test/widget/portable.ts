import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { buildWidget } from "../../scripts/build/widget.ts";
import { newLiveSite } from "../browser/widget/site.ts";
import { service } from "../harness.ts";
import { smallVendorList, writeVendorList } from "../vendor-list.ts";

/** The published package, and its core as one script with the global `avow`, as bundlers of apps make it. */
export interface PackedCore {
  manifest: Record<string, unknown>;
  script: string;
}

/** Builds the package `@avow/widget` in a temporary folder and bundles `@avow/widget/headless`. */
export async function bundlePackedCore(): Promise<PackedCore> {
  const folder = await mkdtemp(join(tmpdir(), "avow-core-"));
  try {
    await buildWidget(folder);
    const bundled = await build({
      entryPoints: [join(folder, "headless.js")],
      bundle: true,
      write: false,
      format: "iife",
      globalName: "avow",
      // Hermes has no modules: Metro writes one script.
      platform: "neutral",
      logLevel: "silent",
    });
    const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as object;
    return { manifest: { ...manifest }, script: bundled.outputFiles[0]?.text ?? "" };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Publishes a project that uses all parts of the core: TCF, GPP, rules by region and forms. */
export async function publishWholeSite(): Promise<string> {
  await writeVendorList(smallVendorList);
  const iab = { name: "partners", layout: "iab", title: "Partners" };
  const own = { name: "own", layout: "category", title: "Own", vendors: [{ name: "one" }] };
  const { projectId } = await newLiveSite({
    cookies: [
      {
        name: "app",
        language: "en",
        isDefault: true,
        steps: [iab, own],
        settings: { gpp: "national" },
        regions: [
          { in: ["US_PRIVACY"], model: "opt-out" },
          { in: ["*"], model: "opt-in" },
        ],
      },
    ],
    processings: [{ name: "news", title: "News", language: "en", message: "<p>May we?</p>" }],
    tcf: { cmpId: 31, cmpVersion: 3, publisherCC: "FR", vendors: [2, 5, 8, 9] },
  });
  return projectId;
}

/** The result of `toScenario`. */
export const scenarioResult = {
  view: "banner",
  vendors: { one: true },
  gdprApplies: 1,
  hasTcString: true,
  purposes: "00000000000",
  isFormAccepted: true,
  viewAgain: "closed",
  optOut: { model: "opt-out", isRunning: true, gpp: "DB" },
};

/** A script that uses the global `avow` and evaluates to a promise of `scenarioResult`, as JSON. */
export function toScenario(project: string): string {
  const options = JSON.stringify({ project, url: service.url });
  return `(async () => {
    const { createConsent, createMemoryStorage } = avow;
    const keys = {};
    const storage = createMemoryStorage();
    const options = { ...${options}, storage, offline: true, region: "FR",
      appKeys: { set: (values) => Object.assign(keys, values) } };
    const consent = createConsent(options);
    await consent.ready;
    const { view } = consent.getState();
    const choices = consent.tcf();
    choices.draft.vendors.add(9);
    await consent.answer({ one: true }, choices);
    consent.showForm("news");
    await consent.answerForm("news", true);
    await consent.flush();
    const { vendors, forms } = consent.getState();
    const again = createConsent(options);
    await again.ready;
    const other = createConsent({ ...options, storage: undefined, appKeys: undefined, region: "US-CA" });
    await other.ready;
    const { model, gppString } = other.getState();
    return JSON.stringify({
      view,
      vendors,
      gdprApplies: keys.IABTCF_gdprApplies,
      hasTcString: keys.IABTCF_TCString.length > 20,
      purposes: keys.IABTCF_PurposeConsents,
      isFormAccepted: Object.values(forms)[0].accept,
      viewAgain: again.getState().view,
      optOut: { model, isRunning: other.isAccepted("one"), gpp: gppString.slice(0, 2) },
    });
  })()`;
}

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { installPackages } from "../../../packages/lab/bench/measure/npm.ts";

const dependencies = {
  c15t: "2.2.1",
  klaro: "0.7.22",
  tarteaucitronjs: "1.34.0",
  "vanilla-cookieconsent": "3.1.0",
  "vanilla-cookieconsent-2": "npm:vanilla-cookieconsent@2.9.2",
};

/** A page with a consent tool from npm, on which a visitor accepts `matomo` and refuses `meta`. */
export interface OldTool {
  /** The tool's scripts, by path. */
  scripts: ReadonlyMap<string, string>;
  /** Starts the tool. */
  start: string;
  /** Answers as the tool's own buttons do. */
  answer: string;
  /** The mapping for the widget. */
  imports: { from: string; categories: Record<string, string[]>; cookieName?: string };
  /** Whether it stores the time of the answer. */
  hasTime: boolean;
}

/** Installs the tools once on this machine, without running their package scripts. */
export async function openOldTools(): Promise<Map<string, OldTool>> {
  const versions = createHash("sha256").update(JSON.stringify(dependencies)).digest("hex");
  const folder = join(tmpdir(), `avow-old-tools-${versions.slice(0, 16)}`);
  if (!existsSync(folder)) {
    const installing = `${folder}-${process.pid}`;
    await installPackages(installing, dependencies);
    // Another worker may have been faster.
    await rename(installing, folder).catch(() => rm(installing, { recursive: true, force: true }));
  }
  const read = (path: string) => readFile(join(folder, "node_modules", path), "utf8");
  const byCategory = { analytics: ["matomo"], ads: ["meta"] };
  const byService = { matomo: ["matomo"], facebookpixel: ["meta"] };
  const texts = `{ title: "Cookies", acceptAllBtn: "Yes", acceptNecessaryBtn: "No", sections: [] }`;
  return new Map<string, OldTool>([
    [
      "CookieConsent 3",
      {
        scripts: new Map([
          ["/tool.js", await read("vanilla-cookieconsent/dist/cookieconsent.umd.js")],
        ]),
        start: `CookieConsent.run({
          categories: { necessary: { enabled: true, readOnly: true }, analytics: {}, ads: {} },
          language: { default: "en", translations: { en: { consentModal: ${texts}, preferencesModal: ${texts} } } },
        })`,
        answer: `CookieConsent.acceptCategory(["analytics"])`,
        imports: { from: "cookieconsent", categories: byCategory },
        hasTime: true,
      },
    ],
    [
      "CookieConsent 3 with services in local storage",
      {
        scripts: new Map([
          ["/tool.js", await read("vanilla-cookieconsent/dist/cookieconsent.umd.js")],
        ]),
        start: `CookieConsent.run({
          cookie: { name: "our_choices", useLocalStorage: true },
          categories: {
            necessary: { enabled: true, readOnly: true },
            analytics: { services: { matomo: { label: "Matomo" } } },
            ads: { services: { facebookpixel: { label: "Meta" } } },
          },
          language: { default: "en", translations: { en: { consentModal: ${texts}, preferencesModal: ${texts} } } },
        })`,
        answer: `CookieConsent.acceptCategory(["analytics"])`,
        imports: { from: "cookieconsent", categories: byService, cookieName: "our_choices" },
        hasTime: true,
      },
    ],
    [
      "CookieConsent 2",
      {
        scripts: new Map([
          ["/tool.js", await read("vanilla-cookieconsent-2/dist/cookieconsent.js")],
        ]),
        start: `const tool = initCookieConsent();
          tool.run({
            current_lang: "en",
            // It would take this browser for a robot.
            hide_from_bots: false,
            languages: { en: {
              consent_modal: { title: "Cookies", description: "", primary_btn: { text: "Yes", role: "accept_all" } },
              settings_modal: { title: "Cookies", save_settings_btn: "Save", blocks: [
                { title: "Needed", toggle: { value: "necessary", enabled: true, readonly: true } },
                { title: "Analytics", toggle: { value: "analytics", enabled: false, readonly: false } },
                { title: "Ads", toggle: { value: "ads", enabled: false, readonly: false } },
              ] },
            } },
          })`,
        answer: `tool.accept(["analytics"])`,
        imports: { from: "cookieconsent", categories: byCategory },
        hasTime: true,
      },
    ],
    [
      "Klaro",
      {
        scripts: new Map([["/tool.js", await read("klaro/dist/klaro.js")]]),
        start: `klaro.setup({
          lang: "en",
          translations: { en: {} },
          services: [{ name: "matomo", purposes: [] }, { name: "facebookpixel", purposes: [] }],
        })`,
        answer: `{
          const manager = klaro.getManager();
          manager.updateConsent("matomo", true);
          manager.saveAndApplyConsents("save");
        }`,
        imports: { from: "klaro", categories: byService },
        hasTime: false,
      },
    ],
    [
      "tarteaucitron",
      {
        scripts: new Map([
          ["/tool.js", await read("tarteaucitronjs/tarteaucitron.js")],
          ["/tarteaucitron.services.js", await read("tarteaucitronjs/tarteaucitron.services.js")],
          ["/lang/tarteaucitron.en.js", await read("tarteaucitronjs/lang/tarteaucitron.en.js")],
        ]),
        start: `var tarteaucitronForceLanguage = "en", tarteaucitronForceCDN = location.origin + "/";
          tarteaucitron.init({ hashtag: "#tarteaucitron", cookieName: "tarteaucitron", highPrivacy: true, useExternalCss: true });
          tarteaucitron.user.matomoId = 1;
          tarteaucitron.user.matomoHost = location.origin + "/matomo/";
          tarteaucitron.user.facebookpixelId = "1";
          (tarteaucitron.job = tarteaucitron.job || []).push("matomo", "facebookpixel");
          dispatchEvent(new Event("load"));`,
        answer: `{
          document.getElementById("matomoAllowed").click();
          document.getElementById("facebookpixelDenied").click();
        }`,
        imports: { from: "tarteaucitron", categories: byService },
        hasTime: false,
      },
    ],
    [
      "c15t",
      {
        scripts: new Map([["/tool.js", await bundleC15t(folder)]]),
        start: `var { consentStore } = c15t.getOrCreateConsentRuntime({
          mode: "offline",
          consentCategories: ["necessary", "measurement", "marketing"],
        })`,
        answer: `consentStore.getState().setSelectedConsent("measurement", true);
          consentStore.getState().saveConsents("custom")`,
        imports: {
          from: "c15t",
          categories: { measurement: ["matomo"], marketing: ["meta"] },
        },
        hasTime: true,
      },
    ],
  ]);
}

async function bundleC15t(folder: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: 'export { getOrCreateConsentRuntime } from "c15t";', resolveDir: folder },
    bundle: true,
    write: false,
    format: "iife",
    globalName: "c15t",
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

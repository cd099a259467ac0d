import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Cookies, Project } from "@avow/contract/configuration";
import { isVendor } from "@avow/contract/vendors";
import { build } from "esbuild";
import { Value } from "typebox/value";
import { type Conversion, MoveInError, convert } from "../../packages/move-in/convert.ts";
import { recognizeFile } from "../../packages/move-in/recognize.ts";
import { convertSample, samples } from "./samples.ts";

function listFurther(file: { name: string; text: string }): string[] {
  return recognizeFile(file).further;
}

function vendorsOf({ proposal }: Conversion, language: string) {
  const found = proposal.cookies.find((one) => one.language === language);
  assert.ok(found, language);
  return (found.steps ?? []).flatMap((step) => step.vendors ?? []).filter(isVendor);
}

function findVendor(conversion: Conversion, language: string, name: string) {
  const vendor = vendorsOf(conversion, language).find((one) => one.name === name);
  assert.ok(vendor, name);
  return vendor;
}

function findBanner({ proposal }: Conversion, language: string) {
  const found = proposal.cookies.find((one) => one.language === language);
  assert.ok(found, language);
  return found;
}

function linesOf({ report }: Conversion, kind: string): string[] {
  return report.lines.filter((line) => line.kind === kind).map(({ path }) => path);
}

describe("a proposal from another consent product", () => {
  for (const [name, { tool }] of Object.entries(samples))
    it(`from ${name} has the shape of the vault's documents`, () => {
      const conversion = convertSample(name, { adoptsAnswers: true });
      assert.equal(conversion.product.tool, tool);
      const { project, cookies, answers } = conversion.proposal;
      assert.ok(Value.Check(Project, project));
      const projectId = "0".repeat(24);
      for (const one of cookies) {
        const errors = [...Value.Errors(Cookies, { projectId, ...one })];
        assert.deepEqual(errors, []);
        assert.deepEqual(one.imports, [answers]);
        const steps = one.steps?.map((step) => step.name) ?? [];
        assert.equal(new Set(steps).size, steps.length);
      }
      const vendors = vendorsOf(conversion, project.locales?.[0] ?? "");
      const known = new Set(vendors.map((one) => one.name));
      for (const slug of Object.values(answers.categories).flat()) assert.ok(known.has(slug));
      assert.match(conversion.report.disclaimer, /not legal advice/);
      assert.ok(conversion.report.lines.length > 0);
      assert.doesNotMatch(JSON.stringify(cookies), /<(?!\/?p>|a href|\/a>)/);
    });

  it("from OneTrust has groups, hosts, languages and rules of regions", () => {
    const conversion = convertSample("OneTrust");
    const banner = findBanner(conversion, "de");
    assert.deepEqual(
      banner.steps?.map((step) => step.title),
      [
        "Cookie-Einstellungen",
        "Unbedingt erforderliche Cookies",
        "Leistungs-Cookies",
        "Werbe-Cookies",
      ],
    );
    assert.equal(
      banner.steps?.[0]?.message,
      "<p>Wir verwenden Cookies, um Besuche zu messen und Werbung zu zeigen.</p>",
    );
    assert.equal(banner.strings?.["refuseAll"], "Alle ablehnen");
    assert.equal(banner.settings?.expiresAfterDays, 365);
    assert.deepEqual(
      banner.regions?.map((rule) => [rule.in, rule.model]),
      [
        [["DE", "FR", "GB"], "opt-in"],
        [["US-CA", "US-CO"], "opt-out"],
        [["*"], "opt-in"],
      ],
    );
    assert.equal(findVendor(conversion, "en", "Strictly-Necessary-Cookies").required, true);
    const doubleclick = findVendor(conversion, "en", "doubleclick.net");
    assert.equal(doubleclick.policyUrl, "https://policies.google.com/privacy");
    assert.deepEqual(doubleclick.hosts, ["doubleclick.net"]);
    assert.deepEqual(doubleclick.storage?.[0]?.name, "IDE");
    assert.deepEqual(conversion.proposal.answers.categories["C0004"], [
      "bing.com",
      "doubleclick.net",
    ]);
    assert.equal(conversion.proposal.answers.categories["C0001"], undefined);
    const decisions = linesOf(conversion, "decide");
    assert.ok(decisions.includes("title of the first layer, de"));
    assert.ok(decisions.includes("RuleSet[2].Type"));
    assert.ok(decisions.includes("DomainData.Groups[2].Status"));
    assert.ok(linesOf(conversion, "not mapped").includes("DomainData.Groups[3]"));
  });

  it("from Cookiebot has the providers of each category with their cookies", () => {
    const conversion = convertSample("Cookiebot");
    const banner = findBanner(conversion, "en");
    assert.equal(banner.steps?.[0]?.title, "This website uses cookies");
    assert.equal(banner.strings?.["acceptAll"], "Allow all cookies");
    assert.equal(banner.settings?.expiresAfterDays, 365);
    const google = findVendor(conversion, "en", "Google");
    assert.equal(google.policyUrl, "https://business.safety.google/privacy/");
    assert.deepEqual(
      google.storage?.map((item) => item.name),
      ["_ga", "_ga_*"],
    );
    assert.equal(findVendor(conversion, "en", "Hotjar").storage?.[0]?.kind, "localStorage");
    assert.deepEqual(conversion.proposal.answers.categories["marketing"], ["Meta-Platforms-Inc."]);
    assert.ok(
      linesOf(conversion, "not mapped").includes("CookieConsentDialog.cookieTableAdvertising[0]"),
    );
    assert.ok(
      linesOf(conversion, "decide").includes("CookieConsentDialog.cookieTableUnclassified"),
    );
    assert.ok(linesOf(conversion, "changed").includes("CookieConsentDialog.prechecked.statistics"));
  });

  it("from Didomi has its custom vendors and purposes, and reports the others", () => {
    const conversion = convertSample("Didomi");
    assert.equal(conversion.proposal.project.title, "Example shop");
    const banner = findBanner(conversion, "fr");
    assert.equal(banner.isDefault, true);
    assert.equal(banner.steps?.[1]?.title, "Mesure d’audience");
    assert.equal(banner.settings?.expiresAfterDays, 183);
    assert.match(banner.steps?.[0]?.message ?? "", /href="https:\/\/shop\.example\/privacy"/);
    const matomo = findVendor(conversion, "fr", "c-matomo-x1");
    assert.equal(matomo.title, "Matomo");
    assert.deepEqual(conversion.proposal.answers.categories["c:matomo-x1"], ["c-matomo-x1"]);
    const unmapped = linesOf(conversion, "not mapped");
    assert.ok(unmapped.includes("app.vendors.iab"));
    assert.ok(unmapped.includes("preferences.categories[1]"));
    assert.ok(linesOf(conversion, "decide").includes("app.vendors.didomi: google"));
  });

  it("from Usercentrics has its services, without those that are deactivated", () => {
    const conversion = convertSample("Usercentrics");
    assert.deepEqual(
      vendorsOf(conversion, "de").map(({ title, required }) => [title, required]),
      [
        ["Usercentrics Consent Management Platform", true],
        ["LinkedIn Insight Tag", undefined],
      ],
    );
    const linkedin = findVendor(conversion, "de", "ko1w5PpFl");
    assert.equal(linkedin.shortDescription, "Misst den Erfolg von Anzeigen.");
    assert.deepEqual(linkedin.storage, [
      { name: "li_fat_id", kind: "cookie", duration: "30 days" },
    ]);
    assert.match(findBanner(conversion, "de").steps?.[0]?.message ?? "", />Impressum<\/a>/);
  });

  it("from Axeptio has a banner for each language", () => {
    const conversion = convertSample("Axeptio");
    assert.deepEqual(
      conversion.proposal.cookies.map(({ language, isDefault }) => [language, isDefault]),
      [
        ["fr", true],
        ["en", undefined],
      ],
    );
    assert.equal(findVendor(conversion, "en", "google_analytics").title, "Google Analytics");
    assert.equal(
      findVendor(conversion, "fr", "google_analytics").shortDescription,
      "Mesure d’audience",
    );
    assert.deepEqual(conversion.proposal.project.widgetStyle, { position: "bottom-right" });
    const unmapped = linesOf(conversion, "not mapped");
    assert.ok(unmapped.includes("processings"));
    assert.ok(unmapped.includes("cookies[0].steps[1]"));
  });

  it("from Klaro has services by purpose, with cookies of simple patterns", () => {
    const conversion = convertSample("Klaro");
    const matomo = findVendor(conversion, "de", "matomo");
    assert.equal(matomo.type, "Besucher-Statistiken");
    assert.equal(matomo.shortDescription, "Sammeln von Besucherstatistiken");
    assert.deepEqual(matomo.storage?.[0], {
      name: "_pk_*",
      kind: "cookie",
      domain: "klaro.kiprotect.com",
    });
    assert.equal(findVendor(conversion, "en", "cloudflare").required, true);
    assert.ok(linesOf(conversion, "not mapped").includes("klaroConfig.services[2].callback"));
    assert.ok(linesOf(conversion, "changed").includes("klaroConfig.services[1].default"));
    assert.equal(findBanner(conversion, "en").steps?.[0]?.title, "test");
  });

  it("from CookieConsent 3 has services, cleared cookies and links of the footer", () => {
    const conversion = convertSample("CookieConsent 3");
    const banner = findBanner(conversion, "en");
    assert.match(banner.steps?.[0]?.message ?? "", /^<p>We measure visits &amp; show ads\.<\/p>/);
    assert.match(
      banner.steps?.[0]?.message ?? "",
      /<a href="https:\/\/shop\.example\/privacy">Privacy Policy<\/a>/,
    );
    const analytics = findVendor(conversion, "en", "analytics");
    assert.deepEqual(
      analytics.storage?.map((item) => item.name),
      ["_ga*", "_gid*", "matomo", "_gat"],
    );
    assert.equal(findVendor(conversion, "en", "ga").title, "Google Analytics");
    const { answers, project } = conversion.proposal;
    assert.equal(answers.cookieName, "our_choices");
    assert.deepEqual(answers.categories["ga"], ["ga"]);
    assert.deepEqual(project.widgetStyle, { position: "bottom-right" });
    const unmapped = linesOf(conversion, "not mapped");
    assert.ok(unmapped.includes("CookieConsent.run.onConsent"));
    assert.ok(unmapped.includes("CookieConsent.run.language.translations.fr"));
    assert.ok(
      unmapped.includes("CookieConsent.run.categories.analytics.autoClear.cookies[2].name"),
    );
  });

  it("from CookieConsent 2 has the blocks of its settings, and joins texts of the same file", () => {
    const conversion = convertSample("CookieConsent 2");
    const banner = findBanner(conversion, "en");
    assert.equal(banner.steps?.[0]?.title, "We use cookies!");
    assert.equal(banner.settings?.expiresAfterDays, 90);
    assert.equal(findVendor(conversion, "en", "analytics").storage?.[0]?.name, "_ga*");
    assert.equal(findVendor(conversion, "en", "necessary").required, true);
  });

  it("from tarteaucitron has the services that the page pushes, by its list of services", () => {
    const conversion = convertSample("tarteaucitron");
    assert.deepEqual(
      vendorsOf(conversion, "en").map(({ name, title }) => [name, title]),
      [
        ["gtag", "Google Analytics (GA4)"],
        ["youtube", "YouTube"],
        ["facebookpixel", "Facebook Pixel"],
        ["ourownservice", "ourownservice"],
      ],
    );
    assert.deepEqual(conversion.proposal.project.widgetStyle, { position: "center" });
    assert.ok(linesOf(conversion, "decide").includes("tarteaucitron.job: ourownservice"));
    assert.ok(linesOf(conversion, "not mapped").includes("tarteaucitron.user.gtagUa"));
  });

  it("from c15t has categories, scripts and policies, without what helpers compute", () => {
    const conversion = convertSample("c15t");
    const banner = findBanner(conversion, "de");
    assert.equal(banner.strings?.["refuseAll"], "Alle ablehnen");
    assert.equal(banner.steps?.[2]?.title, "Analytics");
    assert.deepEqual(
      banner.regions?.map((rule) => [rule.in, rule.model]),
      [
        [["DE", "FR", "IT"], "opt-in"],
        [["*"], "none"],
      ],
    );
    assert.deepEqual(findVendor(conversion, "en", "custom-analytics").hosts, ["cdn.example.com"]);
    const unmapped = linesOf(conversion, "not mapped");
    assert.ok(unmapped.includes("getOrCreateConsentRuntime.scripts[0]"));
    assert.ok(unmapped.includes("getOrCreateConsentRuntime.offlinePolicy.policyPacks[2]"));
    assert.ok(linesOf(conversion, "decide").some((path) => path.startsWith("text in de: ")));
  });

  it("is made without Node, so that a browser can make it", async () => {
    const { errors, metafile } = await build({
      entryPoints: ["packages/move-in/convert.ts"],
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "browser",
      logLevel: "silent",
    });
    assert.deepEqual(errors, []);
    const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
    assert.deepEqual(
      imports.filter((one) => one.external === true),
      [],
    );
  });
});

describe("detection", () => {
  it("rejects a file of no product, and names where to find the file of a product on the page", () => {
    assert.throws(() => convert([{ name: "a.json", text: '{"a":1}' }]), MoveInError);
    const page = `<!doctype html><script src="https://sdk.privacy-center.org/loader.js"></script>`;
    assert.throws(
      () => convert([{ name: "a.html", text: page }]),
      /The page uses Didomi.*custom JSON/,
    );
  });

  it("names the public files of a page", () => {
    const page = (tag: string) => ({
      name: "https://shop.example/",
      text: `<!doctype html><head>${tag}</head>`,
    });
    const id = "0196e235-6107-71c1-b858-dfe924328e45";
    const cases: [tag: string, file: string][] = [
      [
        `<script src="https://cdn.cookielaw.org/scripttemplates/otSDKStub.js" data-domain-script="${id}"></script>`,
        `https://cdn.cookielaw.org/consent/${id}/${id}.json`,
      ],
      [
        `<script src="/ot/scripttemplates/otSDKStub.js" data-domain-script="${id}"></script>`,
        `https://shop.example/ot/consent/${id}/${id}.json`,
      ],
      [
        `<script id="Cookiebot" src="https://consent.cookiebot.com/uc.js" data-cbid="${id}"></script>`,
        `https://consent.cookiebot.com/${id}/cc.js?renew=false&referer=shop.example&dnt=false&init=false`,
      ],
      [
        `<script data-settings-id="i3_E5TN2b" src="https://web.cmp.usercentrics.eu/ui/loader.js"></script>`,
        "https://api.usercentrics.eu/settings/i3_E5TN2b/latest/languages.json",
      ],
      [
        `<script>window.axeptioSettings = { clientId: "62dfa43f0000000000000000" };</script>`,
        "https://client.axept.io/62dfa43f0000000000000000.json",
      ],
      [
        `<script defer src="/assets/klaro-config.js"></script>`,
        "https://shop.example/assets/klaro-config.js",
      ],
      [
        `<script type="module" src="/js/cookieconsent-config.js"></script>`,
        "https://shop.example/js/cookieconsent-config.js",
      ],
    ];
    for (const [tag, file] of cases) assert.deepEqual(listFurther(page(tag)), [file]);
  });

  it("names the further files of OneTrust and Usercentrics", () => {
    const domain = {
      name: "https://cdn.cookielaw.org/consent/a/a.json",
      text: JSON.stringify({
        RuleSet: [{ Id: "b1", LanguageSwitcherPlaceholder: { default: "en", de: "de" } }],
      }),
    };
    assert.deepEqual(listFurther(domain), [
      "https://cdn.cookielaw.org/consent/a/b1/en.json",
      "https://cdn.cookielaw.org/consent/a/b1/de.json",
    ]);
    const languages = {
      name: "https://api.usercentrics.eu/settings/x/latest/languages.json",
      text: '{"languagesAvailable":["de","en"],"editableLanguages":[]}',
    };
    assert.deepEqual(listFurther(languages), [
      "https://api.usercentrics.eu/settings/x/latest/de.json",
      "https://api.usercentrics.eu/settings/x/latest/en.json",
    ]);
  });
});

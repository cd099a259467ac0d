import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import type { Content } from "@avow/contract/published";
import { widgetLanguages } from "../../content/words/languages.ts";
import { wordsOf } from "../../content/words/words.ts";
import { checkContent, rules } from "./rules.ts";

const site = { hosts: new Set(["shop.example", "consent.example"]), locales: ["en"] };

/** A content without findings. */
function validContent(): Content {
  const projectId = "0123456789abcdef01234567";
  return {
    publishedAt: "2026-11-22T00:00:00.000Z",
    projectId,
    projectName: "Shop",
    jobId: "",
    version: 1,
    shadowRoot: true,
    client: {
      colors: { main: "#b4532a", background: "#fdfaf6", text: "#4a3f39", title: "rebeccapurple" },
      fonts: {},
      widgetStyle: {},
      overlayStyle: {},
      DPO: { organization: "Shop Ltd", address: "1 High Street, London" },
    },
    privacypolicy: {},
    dpo: {},
    contractsV2: [],
    portability: [],
    contracts: [
      {
        identifier: "c",
        projectId,
        language: "en",
        title: "Terms",
        file: "https://shop.example/terms.pdf",
      },
    ],
    processings: [
      {
        identifier: "p",
        projectId,
        language: "en",
        title: "Letter",
        purpose: "To send a letter a month.",
        storageDuration: 24,
        consentWithdraw: "By the link in each letter.",
        processors: [{ name: "Mailer", website: "https://mailer.example" }],
        message: '<p>See <a href="https://shop.example/privacy">what we do</a>.</p>',
      },
    ],
    cookies: [
      {
        identifier: "k",
        projectId,
        language: "en",
        strings: { refuseAll: "No", acceptAll: "Yes" },
        settings: { expiresAfterDays: 180 },
        steps: [
          { name: "welcome", layout: "welcome", message: "<p>May we?</p>" },
          {
            name: "analytics",
            layout: "category",
            image: "https://shop.example/cup.png",
            vendors: [
              {
                name: "matomo",
                title: "Matomo",
                shortDescription: "Counts visits.",
                policyUrl: "https://matomo.org/privacy-policy/",
              },
              { name: "cart", title: "Cart", shortDescription: "Holds it.", required: true },
            ],
          },
        ],
      },
    ],
  };
}

/** Sets a value at a JSON pointer; undefined removes it. */
function set(content: Content, pointer: string, value: unknown): Content {
  if (pointer === "") return value as Content;
  const path = pointer.slice(1).split("/");
  const last = path.pop() ?? "";
  let at = content as unknown as Record<string, unknown>;
  for (const name of path) at = at[name] as Record<string, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return content;
}

const vendor = "/cookies/0/steps/1/vendors/0";
const [cookies] = validContent().cookies;
const anyOptIn = { in: ["*"], model: "opt-in" };
/** For each rule, values that break it, with the path of the finding if it differs. */
const breaches: Record<string, [at: string, value: unknown, found?: string][]> = {
  "refuse-missing": [
    ["/cookies/0/strings/refuseAll", " "],
    ["/cookies/0/strings/refuseAll", "\u200b"],
    ["/cookies/0/strings/refuseAll", "yes"],
    ["/cookies/0/steps/1/strings", { refuseAll: "YES " }, "/cookies/0/steps/1/strings/refuseAll"],
    ["/cookies/0/strings", { acceptAll: "refuse all" }, "/cookies/0/strings/refuseAll"],
  ],
  "pre-ticked": [
    [`${vendor}/checked`, true],
    ["/contracts/0/preChecked", true],
  ],
  "not-necessary": [
    ["/cookies/0/steps/1/vendors/1/type", "Analytics", "/cookies/0/steps/1/vendors/1/required"],
    [
      "/cookies/0/steps/1/vendors/1/googleConsentMode",
      { ad_storage: true },
      "/cookies/0/steps/1/vendors/1/required",
    ],
  ],
  "asked-too-seldom": [["/cookies/0/settings/expiresAfterDays", 400]],
  "asked-too-often": [["/cookies/0/settings/expiresAfterDays", 1]],
  "no-way-back": [["/cookies/0/settings/launcher", false]],
  "unknown-button": [
    [
      "/processings/0/buttons",
      [
        { text: "Yes", value: "true" },
        { text: "Sure", value: "sure" },
      ],
      "/processings/0/buttons/1/value",
    ],
  ],
  "unknown-vendor": [[`${vendor}/_unknown`, "5e5fb4a5", vendor]],
  "unclear-vendor": [[`${vendor}/shortDescription`, undefined]],
  "vendor-policy": [[`${vendor}/policyUrl`, undefined]],
  controller: [["/client/DPO", {}, "/client/DPO/organization"]],
  "banner-controller": [
    [
      "",
      { ...validContent(), processings: [], client: { ...validContent().client, DPO: {} } },
      "/client/DPO/organization",
    ],
  ],
  "region-opt-in-required": [
    [
      "/cookies/0/regions",
      [
        { in: ["US_PRIVACY"], model: "opt-out" },
        { in: ["*"], model: "notice" },
      ],
      "/cookies/0/regions/1/model",
    ],
  ],
  "region-opt-out-required": [
    ["/cookies/0/regions", [{ in: ["US"], model: "none" }, anyOptIn], "/cookies/0/regions/0/model"],
  ],
  "region-opt-in-default": [
    [
      "/cookies/0/regions",
      [{ ...anyOptIn, defaults: { matomo: true } }],
      "/cookies/0/regions/0/defaults/matomo",
    ],
  ],
  "region-twice": [
    [
      "/cookies/0/regions",
      [{ in: ["EEA"], model: "opt-in" }, { in: ["FR"], model: "opt-in" }, anyOptIn],
      "/cookies/0/regions/1/in",
    ],
  ],
  "region-rest": [["/cookies/0/regions", [{ in: ["EEA"], model: "opt-in" }]]],
  "region-unknown-vendor": [
    [
      "/cookies/0/regions",
      [{ ...anyOptIn, defaults: { nobody: false } }],
      "/cookies/0/regions/0/defaults/nobody",
    ],
  ],
  "variant-unknown": [["/cookies/0/settings/variantOf", "nobody"]],
  "variant-differs": [
    [
      "/cookies/1",
      {
        ...cookies,
        identifier: "b",
        settings: { variantOf: "k" },
        steps: cookies?.steps?.slice(0, 1),
      },
      "/cookies/1/steps",
    ],
  ],
  "refuse-unclear": [
    ["/cookies/0/strings/refuseAll", "Settings"],
    ["/cookies/0/strings/refuseAll", "More options"],
    ["/cookies/0/strings/refuseAll", "x"],
    ["/cookies/0/steps/1/strings", { refuseAll: "Skip" }, "/cookies/0/steps/1/strings/refuseAll"],
  ],
  steering: [
    ["/cookies/0/strings/refuseAll", "No, I hate savings"],
    ["/cookies/0/steps/0/message", "<p>For the <b>best</b> experience.</p>"],
    ["/cookies/0/steps/0/title", "Dommage&nbsp;!"],
    [
      "/processings/0/buttons",
      [{ text: "Miss out", value: false }],
      "/processings/0/buttons/0/text",
    ],
  ],
  "cookie-wall": [
    ["/cookies/0/steps/0/message", "<p>You must <b>accept</b> them.</p>"],
    ["/cookies/0/steps/0/message", "<p>By using our site you agree.</p>"],
    ["/cookies/0/steps/0/message", "<p>Pour continuer, vous pouvez accepter.</p>"],
    ["/cookies/0/steps/0/message", "<p>En poursuivant votre visite, tout est dit.</p>"],
    ["/cookies/0/strings/title", "Accept or pay"],
  ],
  "processing-purpose": [["/processings/0/purpose", " "]],
  "processing-storage-duration": [["/processings/0/storageDuration", undefined]],
  "processing-consent-withdraw": [["/processings/0/consentWithdraw", undefined]],
  "processing-recipients": [["/processings/0/processors", []]],
  "contract-file": [["/contracts/0/file", undefined]],
  language: [["/contracts/0/language", undefined]],
  translation: [["/processings/0/language", "fr", "/cookies"]],
  "empty-step": [["/cookies/0/steps/0/message", undefined]],
  contrast: [
    ["/client/colors/text", "#999"],
    ["/client/colors/text", "hsl(30 10% 70%)"],
    ["/client/colors/title", "khaki"],
  ],
  "button-contrast": [["/client/colors/main", "oklch(0.95 0.03 90)"]],
  "unknown-color": [["/client/colors/title", "url(x)"]],
  "insecure-link": [
    [`${vendor}/policyUrl`, "http://matomo.org/"],
    ["/processings/0/message", '<p><a href="http://a.example/">a</a></p>'],
    ["/processings/0/processors/0/website", "HTTP://mailer.example"],
  ],
  "missing-picture": [
    ["/cookies/0/steps/1/image", "0123456789abcdef01234567"],
    [`${vendor}/image`, "0123456789abcdef01234567"],
    ["/processings/0/picture", "0123456789abcdef01234567"],
  ],
  "imported-vendor": [
    [
      "/cookies/0/imports",
      [{ from: "klaro", categories: { "a/b": ["matomo", "matomoo"] } }],
      "/cookies/0/imports/0/categories/a~1b/1",
    ],
  ],
  "picture-elsewhere": [["/cookies/0/steps/1/image", "https://images.example/cup.png"]],
};

describe("the publish check", () => {
  it("has no findings for a valid content, nor for addresses of a developer's machine", () => {
    assert.deepEqual(checkContent(validContent(), site), { findings: [], errors: 0, warnings: 0 });
    const local = set(validContent(), `${vendor}/policyUrl`, "http://localhost:3000/policy");
    assert.deepEqual(checkContent(local, site).findings, []);
  });

  it("accepts a storage duration of zero, clear refusals, and phrases inside longer words", () => {
    const fine: [string, unknown][] = [
      ["/processings/0/storageDuration", 0],
      ["/cookies/0/strings/refuseAll", "Only what’s needed"],
      ["/cookies/0/strings/refuseAll", "I don’t agree"],
      [
        "/cookies/0/steps/0/message",
        "<p>By using cookies we count visits to the Sadler gallery.</p>",
      ],
      ["/cookies/0/steps/0/message", "<p>Nothing is counted unless you accept.</p>"],
    ];
    for (const [at, value] of fine)
      assert.deepEqual(
        checkContent(set(validContent(), at, value), site).findings,
        [],
        String(value),
      );
    const other = set(validContent(), "/cookies/0/strings/refuseAll", "Hafna öllu");
    for (const list of ["cookies", "processings", "contracts"])
      set(other, `/${list}/0/language`, "is");
    assert.deepEqual(checkContent(other, { ...site, locales: [] }).findings, []);
  });

  for (const language of [...widgetLanguages, "no", "pt-AO", "zh-TW"])
    it(`accepts the default texts in ${language}, but not its texts for choosing as a refusal`, () => {
      const check = (strings: object) => {
        const content = set(validContent(), "/cookies/0/strings", strings);
        for (const list of ["cookies", "processings", "contracts"])
          set(content, `/${list}/0/language`, language);
        return checkContent(content, { ...site, locales: [] }).findings;
      };
      for (const texts of Object.values(wordsOf(language))) assert.deepEqual(check(texts), []);
      const { refuse } = wordsOf(language).boxes;
      assert.deepEqual(check({ refuseAll: refuse }), []);
      const { acceptAll, choose, save, settings } = wordsOf(language).banner;
      for (const refuseAll of [choose, save, settings])
        assert.deepEqual(
          check({ acceptAll, refuseAll }).map(({ rule }) => rule),
          ["refuse-unclear"],
          refuseAll,
        );
    });

  it("requires every language of the website, its banner and its forms", () => {
    const pathsOf = (content: Content, locales: string[]) =>
      checkContent(content, { ...site, locales }).findings.map(({ rule, path }) => [rule, path]);
    assert.deepEqual(pathsOf(validContent(), ["en", "fr"]), [
      ["translation", "/cookies"],
      ["translation", "/processings"],
    ]);
    assert.deepEqual(pathsOf(validContent(), ["en-GB"]), []);
    const german = set(validContent(), "/cookies/1", {
      ...validContent().cookies[0],
      language: "de",
    });
    assert.deepEqual(pathsOf(german, []), [["translation", "/processings"]]);
    assert.deepEqual(pathsOf({ ...german, processings: [], contracts: [] }, ["de"]), []);
  });

  for (const { id, severity, source } of rules)
    it(`reports only ${id}, at its path, when it is broken`, () => {
      const own = breaches[id] ?? [];
      assert.ok(own.length > 0, "a rule has a breach here");
      for (const [at, value, path = at] of own) {
        const { findings } = checkContent(set(validContent(), at, value), site);
        assert.deepEqual(
          findings.map((one) => [one.rule, one.severity, one.source, one.path]),
          [[id, severity, source, path]],
          `${at} = ${JSON.stringify(value)}`,
        );
        for (const one of findings[0]?.about ?? [])
          assert.ok(
            `${findings[0]?.message} ${findings[0]?.fix}`.includes(one),
            `“${one}” is in the message or fix`,
          );
        for (const text of [findings[0]?.message, findings[0]?.fix])
          assert.match(text ?? "", /^.{10,300}\.$/);
      }
    });

  it("accepts any value where no schema checks one", () => {
    const fields = [
      "/cookies/0/strings/refuseAll",
      "/cookies/0/settings/launcher",
      "/cookies/0/settings/pages",
      "/cookies/0/steps/1/vendors/0/checked",
      "/client/colors/main",
      "/contracts/0/picture",
      "/contracts/0/processors",
      "/contracts/0/accept",
    ];
    for (const value of [null, 7, "x", [], [null, 1, "a"], {}])
      for (const at of fields)
        assert.ok(checkContent(set(validContent(), at, value), site).errors >= 0, at);
  });

  it("returns at most 500 findings, errors first, and counts all", () => {
    const vendors = Array.from({ length: 400 }, (_, n) => ({ name: `v${n}`, checked: true }));
    const content = set(validContent(), "/cookies/0/steps/1/vendors", vendors);
    const { findings, errors, warnings } = checkContent(content, site);
    assert.deepEqual([findings.length, errors, warnings], [500, 400, 800]);
    assert.deepEqual(
      findings.map(({ severity }) => severity),
      [
        ...Array.from({ length: 400 }, () => "error"),
        ...Array.from({ length: 100 }, () => "warning"),
      ],
    );
  });

  it("has every rule in docs/reference/publish-check.md, with its severity and source", () => {
    const docs = readFileSync(
      new URL("../../../../../../docs/reference/publish-check.md", import.meta.url),
      "utf8",
    );
    const documented = [...docs.matchAll(/^\| `([a-z-]+)` +\| (\w+) +\| .*? \| (.*?) +\|$/gm)];
    assert.deepEqual(
      documented.map(([, id, severity, source]) => [id, severity, source]),
      rules.map(({ id, severity, source }) => [id, severity, source]),
    );
  });
});

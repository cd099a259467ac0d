import type { Vendor } from "@avow/contract/configuration";
import { readObject, readText } from "@avow/contract/json";
import type { Content, PublishedCookies } from "@avow/contract/published";
import { wordsOf } from "../../content/words/words.ts";
import { type Fault, type Rule, listSteps, listVendors, quote, toTitle } from "./finding.ts";

/** Fields by which other tools select something in advance. */
const preselectingFields = ["checked", "preChecked", "preselected", "defaultChecked", "selected"];
/** Signals that only a consent grants (Google Consent Mode v2). */
const consentSignals = [
  "ad_storage",
  "ad_user_data",
  "ad_personalization",
  "analytics_storage",
] as const;
/** Types of vendors that are never necessary for the service that a visitor requests. */
const trackingType = /analytic|advert|marketing|social|tracking|measure|profil/i;
const DAYS_MIN = 30;
const DAYS_RECOMMENDED = 180;
const DAYS_MAX = 395;
/** Button values in the widget; every other value refuses. */
const granting = new Set<unknown>([true, "true", "accept", "yes"]);
const refusing = new Set<unknown>([false, "false", "refuse", "no", undefined, null, ""]);

/** Refusing must be a real control of the first layer, with a label that says so. */
const refuseMissing: Rule = {
  id: "refuse-missing",
  severity: "error",
  source: "EDPB cookie banner task force, report of 17 January 2023, 8 and 14; CNIL 2020-092 §34",
  find: (content) =>
    listTexts(content).flatMap(({ texts, language, path }) => {
      const { acceptAll, refuseAll } = wordsOf(language).banner;
      const own = texts["refuseAll"];
      const refuse = own === undefined ? refuseAll : toWords(own);
      const accept = toWords(texts["acceptAll"]) || acceptAll;
      const refusePath = `${path}/strings/refuseAll`;
      if (typeof own === "string" && !/[\p{L}\p{N}]/u.test(refuse))
        return [
          {
            path: refusePath,
            message: "The button to refuse has no text.",
            about: [],
            fix: `Remove the text to use the default “${refuseAll}”, or enter what the button does.`,
          },
        ];
      if (refuse.toLowerCase() !== accept.toLowerCase()) return [];
      return [
        {
          path: refusePath,
          message: `The buttons to refuse and to accept both say “${accept}”.`,
          about: [accept],
          fix: "Give each button a text that says what it does.",
        },
      ];
    }),
};

function languageOf({ language = "en" }: PublishedCookies): string {
  return language;
}

function toWords(text: unknown): string {
  return readText(text)?.trim() ?? "";
}

/** Texts of a configuration, and of each step that has its own. */
function listTexts(content: Content) {
  const whole = content.cookies.map((one, at) => ({
    own: one.strings ?? {},
    texts: one.strings ?? {},
    language: languageOf(one),
    path: `/cookies/${at}`,
  }));
  const steps = listSteps(content).map(({ step, configuration, path }) => ({
    own: step.strings ?? {},
    texts: { ...configuration.strings, ...step.strings },
    language: languageOf(configuration),
    path,
  }));
  return [...whole, ...steps].filter(({ own }) => "refuseAll" in own || "acceptAll" in own);
}

/** Nothing may be selected before the visitor selects it. */
const preTicked: Rule = {
  id: "pre-ticked",
  severity: "error",
  source: "GDPR recital 32; CJEU C-673/17 (Planet49); EDPB cookie banner task force, 10",
  find(content) {
    const boxes = (["processings", "contracts"] as const).flatMap((list) =>
      content[list].flatMap((box, at) => [
        { one: box, title: toTitle(box), path: `/${list}/${at}` },
        ...(box.buttons ?? []).map((one, n) => ({
          one,
          title: one.text,
          path: `/${list}/${at}/buttons/${n}`,
        })),
      ]),
    );
    const vendors = listVendors(content).map(({ vendor, path }) => ({
      one: vendor,
      title: toTitle(vendor),
      path,
    }));
    return [...vendors, ...boxes].flatMap(({ one, title, path }) =>
      preselectingFields
        .filter((field) => readObject(one)[field] === true)
        .map((field) => ({
          path: `${path}/${field}`,
          message: `“${title}” is selected in advance.`,
          about: [title, field],
          fix: `Remove “${field}”. The widget shows everything as off until the visitor switches it on.`,
        })),
    );
  },
};

/** Vendors that are always on must be necessary for the service that the visitor requests. */
const notNecessary: Rule = {
  id: "not-necessary",
  severity: "error",
  source: "ePrivacy Directive, article 5(3); CNIL guidelines 2020-091 §49",
  find: (content) =>
    listVendors(content).flatMap(({ vendor, path }): Fault[] => {
      if (vendor.required !== true) return [];
      const signals = listSignals(vendor.googleConsentMode);
      const { type = "" } = vendor;
      const why = signals.length > 0 ? signals.join(", ") : trackingType.test(type) ? type : "";
      if (!why) return [];
      return [
        {
          path: `${path}/required`,
          message: `${quote(vendor)} is always on, but is used for ${why}, which requires consent.`,
          about: [toTitle(vendor), why],
          fix: "Remove “required” so that visitors are asked, or remove that use.",
        },
      ];
    }),
};

function listSignals(signals: Vendor["googleConsentMode"] = []): string[] {
  const named = Array.isArray(signals)
    ? signals
    : Object.entries(signals).flatMap(([name, isOn]) => (isOn === true ? [name] : []));
  return consentSignals.filter((signal) => named.includes(signal));
}

/** Refusals are valid as long as consents, and both for about six months. */
const askedTooSeldom: Rule = {
  id: "asked-too-seldom",
  severity: "warning",
  source: "CNIL 2020-092 §38-39: six months are good practice, thirteen the most",
  find: (content) =>
    findDays(content, (days) => {
      const most = days > DAYS_MAX ? ", more than thirteen months" : "";
      return days > DAYS_RECOMMENDED && `Answers are valid for ${days} days${most}.`;
    }),
};

/** People who have refused must not be asked again and again. */
const askedTooOften: Rule = {
  id: "asked-too-often",
  severity: "warning",
  source: "CNIL 2020-092 §38; EDPB 03/2022 on deceptive patterns: continuous prompting",
  find: (content) =>
    findDays(content, (days) => {
      const after = `${days} ${days === 1 ? "day" : "days"}`;
      return days < DAYS_MIN && `Visitors who have refused are asked again after ${after}.`;
    }),
};

/** Findings about the days for which answers are valid. */
function findDays(content: Content, toMessage: (days: number) => string | false): Fault[] {
  return content.cookies.flatMap((one, at): Fault[] => {
    const days = one.settings?.expiresAfterDays;
    const message = days !== undefined && toMessage(days);
    if (days === undefined || !message) return [];
    const path = `/cookies/${at}/settings/expiresAfterDays`;
    return [
      {
        path,
        message,
        about: [String(days)],
        fix: `Set ${DAYS_RECOMMENDED} days, which are six months.`,
      },
    ];
  });
}

/** Withdrawing must be as easy as giving consent, at any time. */
const noWayBack: Rule = {
  id: "no-way-back",
  severity: "warning",
  source: "GDPR article 7(3); EDPB cookie banner task force, 32-35",
  find: (content) =>
    content.cookies.flatMap((one, at) =>
      one.settings?.launcher === false
        ? [
            {
              path: `/cookies/${at}/settings/launcher`,
              message: "The button to reopen the cookie settings is hidden.",
              about: [],
              fix: "Add a link with data-avow-open to every page, or show the button.",
            },
          ]
        : [],
    ),
};

/** A button must do what it says. */
const unknownButton: Rule = {
  id: "unknown-button",
  severity: "warning",
  source: "GDPR article 4(11): an unambiguous indication",
  find: (content) =>
    content.processings.flatMap((box, at) =>
      (box.buttons ?? []).flatMap(({ text, value }, n): Fault[] => {
        if (granting.has(value) || refusing.has(value)) return [];
        return [
          {
            path: `/processings/${at}/buttons/${n}/value`,
            message: `The button “${text.trim()}” refuses, because its value is not one that accepts.`,
            about: [text.trim()],
            fix: "Set the value true on buttons that accept, and false on buttons that refuse.",
          },
        ];
      }),
    ),
};

/** Each purpose must be offered separately and described. */
const unclearVendor: Rule = {
  id: "unclear-vendor",
  severity: "warning",
  source: "GDPR articles 4(11) and 7(2)",
  find: (content) =>
    listVendors(content).flatMap(({ vendor, path }) =>
      (readText(vendor.shortDescription) ?? readText(vendor.longDescription))
        ? []
        : [
            {
              path: `${path}/shortDescription`,
              message: `${quote(vendor)} has no description.`,
              about: [toTitle(vendor)],
              fix: "Describe in one sentence what it does with the visitor's data.",
            },
          ],
    ),
};

export const choiceRules: readonly Rule[] = [
  refuseMissing,
  preTicked,
  notNecessary,
  askedTooSeldom,
  askedTooOften,
  noWayBack,
  unknownButton,
  unclearVendor,
];

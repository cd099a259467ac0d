import type { Vendor } from "@avow/contract/configuration";
import { readObject, readText } from "@avow/contract/json";
import type { Content, PublishedCookies } from "@avow/contract/published";
import { wordsOf } from "../../content/words.ts";
import { type Fault, type Rule, listSteps, listVendors, quote, toTitle } from "./finding.ts";

/** Names by which other tools tick something for the visitor. */
const tickingFields = ["checked", "preChecked", "preselected", "defaultChecked", "selected"];
/** Signals that nothing but a consent grants (Google Consent Mode v2). */
const consentSignals = [
  "ad_storage",
  "ad_user_data",
  "ad_personalization",
  "analytics_storage",
] as const;
/** Kinds of vendors that are never needed for what a visitor asked for. */
const trackingType = /analytic|advert|marketing|social|tracking|measure|profil/i;
const DAYS_LEAST = 30;
const DAYS_GOOD = 180;
const DAYS_MAX = 395;
/** What a button's value says in the widget: everything else refuses. */
const granting = new Set<unknown>([true, "true", "accept", "yes"]);
const refusing = new Set<unknown>([false, "false", "refuse", "no", undefined, null, ""]);

/** Refusing is a real control of the first layer, and says that it refuses. */
const refuseMissing: Rule = {
  id: "refuse-missing",
  severity: "error",
  source: "EDPB cookie banner task force, report of 17 January 2023, 8 and 14; CNIL 2020-092 §34",
  find: (content) =>
    listTexts(content).flatMap(({ texts, language, path }) => {
      const { acceptAll = "", refuseAll = "" } = wordsOf(language).banner;
      const own = texts["refuseAll"];
      const refuse = own === undefined ? refuseAll : toWords(own);
      const accept = toWords(texts["acceptAll"]) || acceptAll;
      const place = `${path}/strings/refuseAll`;
      if (typeof own === "string" && !/[\p{L}\p{N}]/u.test(refuse))
        return [
          {
            path: place,
            message: "The button that refuses has no text.",
            about: [],
            fix: `Leave it out to have “${refuseAll}”, or write what it does.`,
          },
        ];
      if (refuse.toLowerCase() !== accept.toLowerCase()) return [];
      return [
        {
          path: place,
          message: `The buttons that refuse and accept both say “${accept}”.`,
          about: [accept],
          fix: "Say on each what it does.",
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

/** Nothing is on that nobody switched on. */
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
      tickingFields
        .filter((field) => readObject(one)[field] === true)
        .map((field) => ({
          path: `${path}/${field}`,
          message: `“${title}” is chosen before anybody chose it.`,
          about: [title, field],
          fix: `Take “${field}” away. The widget shows everything as off until somebody switches it on.`,
        })),
    );
  },
};

/** What is always on is needed for what the visitor asked for. */
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
          message: `${quote(vendor)} is always on, and stands for ${why}, which takes a consent.`,
          about: [toTitle(vendor), why],
          fix: "Let visitors be asked: take “required” away, or what it stands for.",
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

/** A refusal holds as long as a consent, and both for about six months. */
const askedTooSeldom: Rule = {
  id: "asked-too-seldom",
  severity: "warning",
  source: "CNIL 2020-092 §38-39: six months are good practice, thirteen the most",
  find: (content) =>
    findDays(content, (days) => {
      const most = days > DAYS_MAX ? ", more than thirteen months" : "";
      return days > DAYS_GOOD && `Answers hold for ${days} days${most}.`;
    }),
};

/** Nobody is asked again and again who has refused. */
const askedTooOften: Rule = {
  id: "asked-too-often",
  severity: "warning",
  source: "CNIL 2020-092 §38; EDPB 03/2022 on deceptive patterns: continuous prompting",
  find: (content) =>
    findDays(content, (days) => {
      const after = `${days} ${days === 1 ? "day" : "days"}`;
      return days < DAYS_LEAST && `Who has refused is asked again after ${after}.`;
    }),
};

/** What is to be said of the days for which answers to a configuration hold. */
function findDays(content: Content, toMessage: (days: number) => string | false): Fault[] {
  return content.cookies.flatMap((one, at): Fault[] => {
    const days = one.settings?.expiresAfterDays;
    const message = days !== undefined && toMessage(days);
    if (days === undefined || !message) return [];
    const path = `/cookies/${at}/settings/expiresAfterDays`;
    return [{ path, message, about: [String(days)], fix: `${DAYS_GOOD} days are six months.` }];
  });
}

/** Withdrawing is as easy as giving, at any time. */
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
              message: "The button by which visitors come back to their choices is not shown.",
              about: [],
              fix: "Have a link of your own on every page, with data-avow-open, or show the button.",
            },
          ]
        : [],
    ),
};

/** A button does what it says. */
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
            message: `The button “${text.trim()}” refuses: its value is none that grants.`,
            about: [text.trim()],
            fix: "Give what grants the value true, and what refuses false.",
          },
        ];
      }),
    ),
};

/** Each purpose is offered apart, in words that say what it is. */
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
              message: `Nothing says what ${quote(vendor)} does.`,
              about: [toTitle(vendor)],
              fix: "Write in a sentence what it does with the visitor's data.",
            },
          ],
    ),
};

/** What visitors can choose, and how. */
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

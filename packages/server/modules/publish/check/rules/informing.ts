import { readText } from "@avow/contract/json";
import { type Content, type PublishedProcessing, languageOf } from "@avow/contract/published";
import { type Fault, type Rule, listSteps, listVendors, quote, toTitle } from "./finding.ts";

const vendorPolicy: Rule = {
  id: "vendor-policy",
  severity: "warning",
  source: "GDPR article 13(1)(e); CNIL 2020-092 §18",
  find: (content) =>
    listVendors(content)
      .filter(({ vendor }) => vendor.required !== true && !vendor.policyUrl)
      .map(({ vendor, path }) => ({
        path: `${path}/policyUrl`,
        message: `${quote(vendor)} has no privacy policy.`,
        about: [toTitle(vendor)],
        fix: "Add an https link to the privacy policy of the recipient.",
      })),
};

/** A consent form must name the controller itself; a banner may leave this to the site's privacy policy. */
const controller: Rule = {
  id: "controller",
  severity: "error",
  source: "GDPR article 13(1)(a) and (b); EDPB 05/2020 §64",
  find: (content) => (content.processings.length > 0 ? findNoController(content) : []),
};

const bannerController: Rule = {
  id: "banner-controller",
  severity: "warning",
  source: "GDPR article 13(1)(a) and (b); EDPB 05/2020 §64",
  find: (content) => (content.processings.length > 0 ? [] : findNoController(content)),
};

function findNoController(content: Content): Fault[] {
  const officers = [content.client.DPO, content.dpo];
  if (officers.some((one) => readText(one.organization) ?? readText(one.address))) return [];
  return [
    {
      path: "/client/DPO/organization",
      message: "The organization responsible for the data is not named.",
      about: [],
      fix: "Fill in “DPO” of the project: the organization, its address, and how to reach its data protection officer.",
    },
  ];
}

/** Information that a consent form must contain, by field. */
const facts: { field: keyof PublishedProcessing; what: string; source: string }[] = [
  { field: "purpose", what: "what the data is used for", source: "GDPR article 13(1)(c)" },
  {
    field: "storageDuration",
    what: "how long the data is stored",
    source: "GDPR article 13(2)(a)",
  },
  {
    field: "consentWithdraw",
    what: "how to withdraw consent",
    source: "GDPR articles 7(3) and 13(2)(c)",
  },
];

const factRules: Rule[] = facts.map(({ field, what, source }) => ({
  id: `processing-${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  severity: "error",
  source,
  find: (content) =>
    content.processings.flatMap((box, at) => {
      const value = box[field];
      // Zero is a valid duration.
      if (typeof value === "number" || readText(value)) return [];
      return [
        {
          path: `/processings/${at}/${field}`,
          message: `${quote(box)} does not say ${what}.`,
          about: [toTitle(box)],
          fix: `Fill in “${field}”.`,
        },
      ];
    }),
}));

const recipients: Rule = {
  id: "processing-recipients",
  severity: "warning",
  source: "GDPR article 13(1)(e)",
  find: (content) =>
    content.processings.flatMap((box, at) =>
      box.processors?.length
        ? []
        : [
            {
              path: `/processings/${at}/processors`,
              message: `${quote(box)} names no recipients of the data.`,
              about: [toTitle(box)],
              fix: "Name the recipients, or ignore this if there are none.",
            },
          ],
    ),
};

const contractFile: Rule = {
  id: "contract-file",
  severity: "error",
  source: "Directive 2000/31/EC, article 10(3): terms are made available to be stored",
  find: (content) =>
    content.contracts.flatMap((box, at) =>
      readText(box.file)
        ? []
        : [
            {
              path: `/contracts/${at}/file`,
              message: `${quote(box)} has no document.`,
              about: [toTitle(box)],
              fix: "Set “file” to the https address of the document.",
            },
          ],
    ),
};

const language: Rule = {
  id: "language",
  severity: "warning",
  source: "GDPR articles 7(2) and 12(1)",
  find: (content) =>
    listForms(content).flatMap(({ one, path }) =>
      languageOf(one)
        ? []
        : [
            {
              path: `${path}/language`,
              message: `${quote(one)} has no language.`,
              about: [toTitle(one)],
              fix: "Set its language (BCP 47), such as “en”. Screen readers and the choice of a configuration depend on it.",
            },
          ],
    ),
};

const translation: Rule = {
  id: "translation",
  severity: "warning",
  source: "GDPR article 12(1); EDPB 05/2020 §67",
  find(content, { locales }) {
    const { cookies, processings, contracts } = content;
    const [banner, boxes] = [languagesOf(cookies), languagesOf([...processings, ...contracts])];
    const first = processings.length > 0 ? "/processings" : "/contracts";
    return [
      { path: "/cookies", what: "cookie configuration", languages: banner, others: boxes },
      { path: first, what: "consent or contract form", languages: boxes, others: banner },
    ].flatMap(({ path, what, languages, others }) =>
      languages.length === 0
        ? []
        : [...new Set([...locales, ...others])]
            .filter((wanted) => !languages.some((one) => isSameLanguage(wanted, one)))
            .map((wanted) => ({
              path,
              message: `No ${what} is in “${wanted}”, a language of the website.`,
              about: [wanted],
              fix: `Add one in “${wanted}”, or ignore this if none is shown on those pages.`,
            })),
    );
  },
};

function languagesOf(list: readonly Parameters<typeof languageOf>[0][]): string[] {
  return list.flatMap((one) => languageOf(one) ?? []);
}

/** Matches `en` and `en-GB` in both directions, but not `pt-BR` and `pt-PT`. */
function isSameLanguage(wanted: string, available: string): boolean {
  const [a, b] = [`${wanted}-`.toLowerCase(), `${available}-`.toLowerCase()];
  return a.startsWith(b) || b.startsWith(a);
}

const emptyStep: Rule = {
  id: "empty-step",
  severity: "warning",
  source: "GDPR article 7(2): in an intelligible form, in clear and plain language",
  find: (content) =>
    listSteps(content).flatMap(({ step, path }): Fault[] =>
      readText(step.message) || step.vendors?.length || step.layout === "iab"
        ? []
        : [
            {
              path: `${path}/message`,
              message: `The step ${quote(step)} has no text and no vendors.`,
              about: [toTitle(step)],
              fix: "Enter what visitors are asked, or remove the step.",
            },
          ],
    ),
};

function listForms(content: Content) {
  return (["cookies", "processings", "contracts"] as const).flatMap((list) =>
    content[list].map((one, at) => ({ one, path: `/${list}/${at}` })),
  );
}

export const informingRules: readonly Rule[] = [
  vendorPolicy,
  controller,
  bannerController,
  ...factRules,
  recipients,
  contractFile,
  language,
  translation,
  emptyStep,
];

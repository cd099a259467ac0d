import { readText } from "@avow/contract/json";
import type { Content, PublishedProcessing } from "@avow/contract/published";
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
        fix: "Link the policy of who receives the data, by https.",
      })),
};

/** A consent box is informed by what it says itself; a banner may leave this to the site's own policy. */
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
      message: "Nothing says who is responsible for the data.",
      about: [],
      fix: "Fill in “DPO” of the project: organization, address, and how its officer is reached.",
    },
  ];
}

/** What a consent box has to tell, by field; what stands first is what is said where it is missing. */
const facts: { field: keyof PublishedProcessing; what: string; source: string }[] = [
  { field: "purpose", what: "what the data is for", source: "GDPR article 13(1)(c)" },
  {
    field: "storageDuration",
    what: "for how long the data is kept",
    source: "GDPR article 13(2)(a)",
  },
  {
    field: "consentWithdraw",
    what: "how the consent is withdrawn",
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
      // None at all is a duration, too.
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
              message: `${quote(box)} names nobody who receives the data.`,
              about: [toTitle(box)],
              fix: "Name the recipients; leave it so where there are none.",
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
              message: `${quote(box)} has nothing to be read.`,
              about: [toTitle(box)],
              fix: "Give “file” the address of the document, by https.",
            },
          ],
    ),
};

const language: Rule = {
  id: "language",
  severity: "warning",
  source: "GDPR articles 7(2) and 12(1)",
  find: (content) =>
    listSpoken(content).flatMap(({ one, path }) =>
      one.language
        ? []
        : [
            {
              path: `${path}/language`,
              message: `Nothing says in which language ${quote(one)} is.`,
              about: [toTitle(one)],
              fix: "Give it a language (BCP 47), such as “en”: screen readers, and the choice among several, rest on it.",
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
      { path: "/cookies", what: "cookie configuration", spoken: banner, others: boxes },
      { path: first, what: "consent or contract box", spoken: boxes, others: banner },
    ].flatMap(({ path, what, spoken, others }) =>
      spoken.length === 0
        ? []
        : [...new Set([...locales, ...others])]
            .filter((wanted) => !spoken.some((one) => isSpokenBy(wanted, one)))
            .map((wanted) => ({
              path,
              message: `Visitors are spoken to in “${wanted}”, and no ${what} is.`,
              about: [wanted],
              fix: `Make one in “${wanted}”; leave it so where none is shown on these pages.`,
            })),
    );
  },
};

function languagesOf(list: readonly { language?: string }[]): string[] {
  return list.flatMap(({ language: spoken }) => spoken ?? []);
}

/** British English does for English, and English for British; Portuguese of Brazil not for that of Portugal. */
function isSpokenBy(wanted: string, spoken: string): boolean {
  const [a, b] = [`${wanted}-`.toLowerCase(), `${spoken}-`.toLowerCase()];
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
              message: `The step ${quote(step)} says nothing.`,
              about: [toTitle(step)],
              fix: "Write what visitors are asked, or take the step away.",
            },
          ],
    ),
};

function listSpoken(content: Content) {
  return (["cookies", "processings", "contracts"] as const).flatMap((list) =>
    content[list].map((one, at) => ({ one, path: `/${list}/${at}` })),
  );
}

/** What visitors are told. */
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

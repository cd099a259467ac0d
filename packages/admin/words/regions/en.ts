/** English texts of the rules by region. */
export const en = {
  lead: "Laws differ: in Europe nothing may run before consent, in California visitors may opt out. Without rules, every visitor is asked for consent.",
  source:
    "The region comes from your CDN or from a database on the server; visitors whose region is unknown get the strictest rule.",
  usual: "Use the usual rules",
  add: "Add a rule",
  remove: "Delete this rule",
  removed: (name: string) => `The rule for ${name} is deleted.`,
  regions: "Regions",
  regionsHint:
    "Country codes such as FR, subdivisions such as US-CA, EEA, US_PRIVACY, or * for all others, separated by commas.",
  model: "Consent model",
  models: {
    "opt-in": "Opt-in: nothing runs before consent",
    "opt-out": "Opt-out: vendors run until refused",
    notice: "Notice: vendors run, the banner informs",
    none: "None: vendors run without a banner",
  },
  texts: "Texts of the first screen, if they differ here",
  defaults: "Runs before an answer",
  groups: {
    EEA: "European Economic Area",
    US_PRIVACY: "US states with a privacy law",
    "*": "all other regions",
  } as Readonly<Record<string, string>>,
  preview: "Region",
};

export type RegionTexts = typeof en;

import { placedLabels } from "@avow/contract/labels";

/** What is said in English of what one version changed against another. */
export const en = {
  count: (count: number) => (count === 1 ? "1 change" : `${count} changes`),
  askedAgain: "Asked again",
  askedAgainHint: "People who have accepted it are asked again.",
  askedFirst: "New question",
  askedCount: (count: number) => (count === 1 ? "1 asked again" : `${count} asked again`),
  more: (count: number) => (count === 1 ? "1 more" : `${count} more`),
  truncated: (shown: number, count: number) => `The first ${shown} of ${count} changes are shown.`,
  sections: {
    design: "Design",
    controller: "Controller",
    partners: "Partners of the TCF",
    project: "Project",
  },
  collections: {
    cookies: "Cookie banner",
    processings: "Consent form",
    contracts: "Contract form",
    contractsV2: "Content",
  },
  items: {
    step: "Step",
    vendor: "Vendor",
    partner: "Partner",
    processor: "Recipient",
    button: "Button",
    confirmation: "Confirmation screen",
    entry: "Entry",
  },
  added: "Added",
  gone: "Removed",
  unsaid: "No longer stated",
  moved: (from: string, to: string) => `moved from ${from} to ${to}`,
  movedStep: (from: string, to: string) => `moved from “${from}” to “${to}”`,
  within: (step: string) => `in “${step}”`,
  before: "before:",
  after: "after:",
  without: "without:",
  with: "with:",
  on: "on",
  off: "off",
  nothing: "nothing",
  words: (count: number) => (count === 1 ? "1 word" : `${count} words`),
  entries: (count: number) => (count === 1 ? "1 entry" : `${count} entries`),
  fields: {
    ...placedLabels,
    fullname: placedLabels["DPO.fullname"],
    organization: placedLabels["DPO.organization"],
    email: placedLabels["DPO.email"],
    address: placedLabels["DPO.address"],
  } as Readonly<Record<string, string>>,
  compare: {
    choose: (version: number) => `Compare version ${version}`,
    column: "Compare",
    hint: "Choose two versions to compare them.",
    one: (version: number) =>
      `Version ${version} is selected. Choose another one to compare it with.`,
    button: (from: number, to: number) => `Compare ${from} with ${to}`,
    clear: "Choose others",
    title: (from: number, to: number) => `From version ${from} to version ${to}`,
    same: "The versions are identical.",
  },
};

export type ChangesWords = typeof en;

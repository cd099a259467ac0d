import { readObject, readText } from "./json.ts";

/** Labels of fields in English, by name. */
export const labels: Readonly<Record<string, string>> = {
  name: "Name",
  title: "Title",
  topTitle: "Line above the title",
  subTitle: "Line below the title",
  message: "Message",
  image: "Image",
  picture: "Image",
  layout: "Layout",
  timeout: "Hide after (milliseconds)",
  uses: "Uses for opt-out",
  hosts: "Hosts",
  storage: "Cookies and storage",
  kind: "Kind",
  duration: "Duration",
  provider: "Provider",
  path: "Path",
  showToggleAllSwitch: "Switch for all vendors",
  language: "Language",
  country: "Country",
  isDefault: "Default if no other language fits",
  shortDescription: "Short description",
  longDescription: "Long description",
  domain: "Domain",
  policyUrl: "Privacy policy",
  type: "Type",
  required: "Required (always on)",
  googleConsentMode: "Signals of Google Consent Mode",
  expiresAfterDays: "Ask again after (days)",
  variantOf: "A/B test: variant of",
  share: "A/B test: share of visitors (%)",
  purpose: "Purpose",
  accept: "Consent statement",
  buttons: "Buttons",
  text: "Text",
  color: "Colour",
  value: "Value",
  confirmations: "Confirmation screens",
  backButtonText: "Back button",
  processors: "Recipients of the data",
  role: "Role",
  website: "Website",
  personalDataTypes: "Personal data",
  automatedDecisions: "Fully automated decisions",
  automatedDecisionsContact: "Contact for automated decisions",
  automatedDecisionsDetails: "Logic of automated decisions",
  consentWithdraw: "How to withdraw consent",
  storageDuration: "Retention period (months)",
  file: "Document",
  idRequired: "Required to submit the form",
  websiteURL: "Website URL",
  DPO: "Controller",
  dataProcessor: "Data processor",
  organization: "Organization",
  address: "Postal address",
  fullname: "Data protection officer",
  email: "E-mail address",
};

/** Labels that depend on the parent field. */
export const placedLabels = {
  projectName: "Title of the project",
  privacypolicy: "Privacy policy of the project",
  tcfPolicyVersion: "Version of the TCF’s policies",
  "colors.main": "Buttons",
  "colors.background": "Background",
  "colors.text": "Text",
  "colors.title": "Titles",
  "widgetStyle.position": "Position",
  "widgetStyle.colorScheme": "Colour scheme",
  "widgetStyle.borderRadius": "Corner radius (pixels)",
  "widgetStyle.padding": "Padding (pixels)",
  "overlayStyle.background": "Page overlay",
  "fonts.title": "Title font",
  "fonts.text": "Text font",
  "DPO.fullname": "Full name",
  "DPO.organization": "Organization",
  "DPO.email": "E-mail address",
  "DPO.address": "Address",
  "dpo.fullname": "Full name",
  "dpo.organization": "Organization",
  "dpo.email": "E-mail address",
  "dpo.address": "Address",
};

/** The label of a field by the path of its name; its name if it has no label. */
export function labelOf(keys: readonly string[]): string {
  const last = keys.at(-1) ?? "";
  const placed: Readonly<Record<string, string | undefined>> = placedLabels;
  return placed[keys.slice(-2).join(".")] ?? labels[last] ?? last;
}

/** The display name of a configuration, a part of one, or an officer: its first non-blank text. */
export function titleOf(item: unknown): string | undefined {
  const { title, text, name, fullname } = readObject(item);
  return readText(title) ?? readText(text) ?? readText(name) ?? readText(fullname);
}

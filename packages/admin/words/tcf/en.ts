export const en = {
  title: "TCF partners",
  lead: "This layout asks for consent to these partners, in IAB Europe’s own wording. They are the same for all banners of the project.",
  count: (count: number) => (count === 1 ? "1 partner" : `${count} partners`),
  none: "No partner is selected yet. The layout cannot be published without one.",
  noList:
    "This service has no IAB vendor list. Partners cannot be selected until its operator sets TCF_VENDOR_LIST.",
  choose: "Choose partners",
  pick: "Partners from the IAB vendor list",
  search: "Search by name or number",
  nothing: "No vendor in the list has this name.",
  more: (count: number) => `and ${count} more: search for them`,
  take: (count: number) => (count === 1 ? "Use 1 partner" : `Use ${count} partners`),
  consent: (purposes: string) => `Purposes ${purposes}`,
  interest: (purposes: string) => `legitimate interest for ${purposes}`,
  policy: "Policy",
  remove: (name: string) => `Remove ${name}`,
  struck: (id: number) => `Vendor ${id}, which is no longer in the list`,
  cmp: "CMP ID",
  cmpHint:
    "The ID under which the operator of this service is registered with IAB Europe, 2 to 4095.",
  country: "Country of the website’s publisher",
  countryHint: "Two letters, such as FR.",
  save: "Save",
  saved: "Saved.",
  wrongCmp: "Enter a number from 2 to 4095.",
  wrongCountry: "Enter two letters.",
};

export type TcfWords = typeof en;

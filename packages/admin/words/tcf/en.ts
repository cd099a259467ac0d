/** What is said in English of the partners of IAB's framework. */
export const en = {
  title: "Partners of the TCF",
  lead: "Asked for by this layout, with IAB Europe’s own words. They are the same for all banners of the project.",
  count: (count: number) => (count === 1 ? "1 partner" : `${count} partners`),
  none: "No partner is chosen yet: the layout is not published without one.",
  noList:
    "This service has no vendor list of IAB’s. Its operator sets TCF_VENDOR_LIST; until then partners cannot be chosen.",
  choose: "Choose partners",
  pick: "Partners from IAB’s vendor list",
  search: "Search by name or number",
  nothing: "No vendor of the list is called that.",
  more: (count: number) => `and ${count} more: search for them`,
  take: (count: number) => (count === 1 ? "Take 1 partner" : `Take ${count} partners`),
  consent: (purposes: string) => `Purposes ${purposes}`,
  interest: (purposes: string) => `legitimate interest for ${purposes}`,
  policy: "Policy",
  remove: (name: string) => `Remove ${name}`,
  struck: (id: number) => `Vendor ${id}, which is no longer in the list`,
  cmp: "CMP number",
  cmpHint: "By which IAB Europe has registered who operates this service, 2 to 4095.",
  country: "Country of the site’s operator",
  countryHint: "Two letters, such as FR.",
  save: "Save",
  saved: "Saved.",
  wrongCmp: "Write a number from 2 to 4095.",
  wrongCountry: "Write two letters.",
};

export type TcfWords = typeof en;

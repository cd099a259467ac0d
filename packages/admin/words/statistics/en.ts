/** What the screen of statistics says in English. */
export const en = {
  title: "Statistics",
  lead: "How often visitors were asked, and what they answered. Displays are counted without any identifier: they are an estimate.",
  span: "Time",
  spans: {
    "2": "2 days, by the hour",
    "7": "7 days",
    "30": "30 days",
    "90": "90 days",
    "365": "365 days",
  },
  counts: {
    shown: "Shown",
    accepted: "Accepted",
    partly: "Partly",
    refused: "Refused",
    ignored: "Ignored",
  },
  overTime: "Over time",
  groups: {
    label: "Group",
    configuration: "By configuration",
    step: "By step",
    language: "By language",
    device: "By device",
  },
  measure: "What is drawn",
  devices: {
    desktop: "Desktop",
    phone: "Phone",
    mobile: "Phone",
    tablet: "Tablet",
    other: "Other",
  },
  unknown: "unknown",
  box: "box",
  others: "others",
  all: "All",
  rate: "Accepted, % of answers",
  undisplayed: (count: string, isAll: boolean) =>
    isAll
      ? `Nothing was shown: all ${count} answers came from programs, or from pages and forms that asked for no display ticket.`
      : `${count} of the answers came without a display: from programs, or from pages and forms that asked for no display ticket. They are among the answers, not among what was shown.`,
  changes: "What people change on their own page counts as no new answer.",
  byStep:
    "A display counts for the step that the banner opened with, whichever step it was answered at.",
  table: "As a table",
  csv: "CSV",
  csvOf: (title: string) => `CSV: ${title}`,
  when: "Time",
  until: (at: string) => `Counted until ${at}.`,
  emptyTitle: "Nothing was shown yet",
  empty: "The numbers come by themselves, a second after a visitor is asked.",
  chart: (title: string) => `Chart: ${title}. The table below has its numbers.`,
};

export type StatisticsWords = typeof en;

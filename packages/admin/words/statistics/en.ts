export const en = {
  title: "Statistics",
  lead: "How often visitors were asked, and what they answered. Displays are counted without any identifier, so they are an estimate.",
  span: "Period",
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
  variants: {
    title: "A/B test",
    lead: "Visitors see one of the two banners at random. More acceptance is not better by itself: both banners have to stay fair.",
    variant: "Banner",
    accepting: "Accepted or partly",
    rate: "% of displays",
    tooFew:
      "Too few displays and answers to compare: each banner needs at least ten displays that were accepted, and ten that were not.",
    differs: (name: string, difference: string, interval: string, p: string) =>
      `“${name}” differs by ${difference} points (95 % interval: ${interval}; p ${p}). If both were equal, fewer than one test in twenty would show this. Decide once, at a date set in advance: looking every day finds differences that are chance. Displays of the same person are counted each time.`,
    chance: (difference: string, interval: string, p: string) =>
      `No difference beyond chance so far: ${difference} points (95 % interval: ${interval}; p ${p}). A real difference outside of this interval is unlikely.`,
  },
  overTime: "Over time",
  groups: {
    label: "Group",
    configuration: "By configuration",
    step: "By step",
    language: "By language",
    device: "By device",
  },
  measure: "Measure",
  devices: {
    desktop: "Desktop",
    phone: "Phone",
    mobile: "Phone",
    tablet: "Tablet",
    other: "Other",
  },
  unknown: "unknown",
  box: "form",
  others: "others",
  all: "All",
  rate: "Accepted, % of answers",
  undisplayed: (count: string, isAll: boolean) =>
    isAll
      ? `No displays were counted: all ${count} answers came from programs, or from pages and forms that requested no display ticket.`
      : `${count} of the answers had no counted display: they were sent by programs, or by pages and forms that requested no display ticket. They are counted as answers, but not as displays.`,
  changes: "Changes that people make on their own page are not counted as new answers.",
  byStep: "A display counts for the step that the banner opened with, whichever step was answered.",
  table: "Show as a table",
  csv: "CSV",
  csvOf: (title: string) => `CSV: ${title}`,
  when: "Time",
  until: (at: string) => `Counted until ${at}.`,
  emptyTitle: "No data yet",
  empty: "The numbers appear a second after a visitor is asked.",
  chart: (title: string) => `Chart: ${title}. The table below contains its numbers.`,
};

export type StatisticsWords = typeof en;

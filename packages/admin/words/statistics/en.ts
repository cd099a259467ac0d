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
    dates: "Choose dates …",
  },
  from: "From",
  to: "To",
  timeZone: "Time zone",
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
  views: {
    label: "Question",
    agree: "How many agree?",
    funnel: "Where do they drop out?",
    change: "Did the last publication change anything?",
    sites: "How do sites compare?",
  },
  agreeingOfDisplays: "of the answers to displays accept everything.",
  agreeing: "of the answers accept everything.",
  unfinished: { day: "Today, not over yet", hour: "This hour, not over yet" },
  zone: (name: string) => `Days are those of the time zone ${name}.`,
  shares: "Shares",
  funnel: {
    title: "From display to acceptance",
    lead: "Answers to counted displays. A visitor who closes the page without an answer is asked again.",
    answered: "Answered",
    accepted: "Accepted everything",
    of: (share: string) => `${share} of displays`,
    vendors: "Answers by vendor",
    vendorsLead: "Each answer counts once for each vendor that it is about.",
  },
  change: {
    noneTitle: "Nothing is published yet",
    none: "After a publication, its effect on the answers appears here.",
    version: "Publication",
    published: (version: string, at: string) => `Version ${version}, ${at}`,
    title: (version: string) => `Before and after version ${version}`,
    lead: "Two equal windows of up to seven days, without another publication in between. Weekdays and campaigns have an effect, too: a difference in time is no proof of its cause.",
    window: "Window",
    before: "Before",
    after: "After",
    answered: "Answered, % of displays",
    accepting: "Acceptance",
    noWindow:
      "There is nothing to compare yet. The windows count whole quarters of an hour, and end where another publication begins. Come back in half an hour, or choose another publication.",
    answering: "Answering",
    tooFew: (name: string, min: string) =>
      `${name}: too few to compare. Each window needs at least ${min} cases, and ${min} others.`,
    differs: (name: string, difference: string, interval: string) =>
      `${name} changed by ${difference} points (95 % interval: ${interval}).`,
    chance: (name: string, difference: string, interval: string) =>
      `${name}: no change beyond chance, ${difference} points (95 % interval: ${interval}).`,
  },
  sites: {
    title: "Your sites",
    lead: "Sites ask different visitors different questions: compare a site with its own past first.",
    site: "Site",
    answers: "Answers",
    change: "Change, points",
    period: (from: string, to: string) =>
      `Whole days (UTC) from ${from} to ${to}, compared with as many days before.`,
    partial: "Only the 200 oldest sites are compared.",
  },
  noGroup: "Nothing is counted by this group in this period.",
  groupHints: {
    step: "A display counts for the step that the banner opened with, whichever step was answered.",
    region:
      "Answers by country, by day (UTC). Displays are not counted by country. Countries with fewer than five answers are counted together.",
    page: "Answers by page, by day (UTC), without queries; numbers and other identifying parts of a path are replaced by *. Pages with fewer than five answers are counted together.",
  },
  overTime: "Over time",
  measures: { label: "Measure", counts: "Numbers", shares: "Acceptance rate" },
  groups: {
    label: "Group",
    configuration: "By configuration",
    step: "By step",
    language: "By language",
    device: "By device",
    region: "By country",
    page: "By page",
    vendor: "Vendor",
  },
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
  table: "Show as a table",
  csv: "CSV",
  csvOf: (title: string) => `CSV: ${title}`,
  when: "Time",
  until: (at: string) => `Counted until ${at}.`,
  none: { title: "No data yet", text: "The numbers appear a second after a visitor is asked." },
  noneInPeriod: {
    title: "Nothing in this period",
    text: "No visitor was asked on these days. Choose other dates.",
  },
  chart: (title: string) => `Chart: ${title}. The table below contains its numbers.`,
};

export type StatisticsWords = typeof en;

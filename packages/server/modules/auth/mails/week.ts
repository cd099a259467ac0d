import type { Letter, MailTable } from "./letters.ts";

type WeekOfProject = (Letter & { kind: "weekly" })["projects"][number];
type Counts = WeekOfProject["week"];

interface WeekWords {
  locale: string;
  /** The day, then the four counts. */
  head: string[];
  total: string;
  before: string;
  change: string;
  facts: (project: WeekOfProject) => string[];
}

/** The counts of a project's week: a row for each day, the week, the week before, and the change between these. */
export function toWeekTable(project: WeekOfProject, words: WeekWords): MailTable {
  const { title, url, week, before, days } = project;
  const number = new Intl.NumberFormat(words.locale);
  const percent = new Intl.NumberFormat(words.locale, {
    style: "percent",
    signDisplay: "exceptZero",
    maximumFractionDigits: 0,
  });
  const toCells = (counts: Counts): string[] => listCounts(counts).map((one) => number.format(one));
  const earlier = listCounts(before);
  const changes = listCounts(week).map((one, at) => {
    const base = earlier[at] ?? 0;
    return base === 0 ? "–" : percent.format(one / base - 1);
  });
  return {
    title,
    url,
    lines: words.facts(project),
    head: words.head,
    rows: [
      ...days.map((one) => [one.day, ...toCells(one)]),
      [words.total, ...toCells(week)],
      [words.before, ...toCells(before)],
      [words.change, ...changes],
    ],
  };
}

function listCounts({ shown, answered, accepted, refused }: Counts): number[] {
  return [shown, answered, accepted, refused];
}

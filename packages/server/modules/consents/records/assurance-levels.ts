/**
 * How far it can be relied on that a record tells of a visitor who answered what was displayed: an
 * authenticated call vouches for it; a browser returned the display ticket that it had got; a browser, or
 * anything that says so, sent it; it came by a file.
 */
const grades = ["server", "ticketed", "browser", "imported"] as const;
export type Grade = (typeof grades)[number];

/** The grade of a row: the column says it where the way that the record came does not. */
export function toGrade(row: { grade: string | null; import_id: string | null }): Grade {
  const named = grades.find((grade) => grade === row.grade);
  return named ?? (row.import_id === null ? "browser" : "imported");
}

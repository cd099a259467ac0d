/**
 * How far it can be relied on that a record tells of a visitor who answered what was displayed: an
 * authenticated call vouches for it; a browser returned the display ticket that it had got; a browser, or
 * anything that says so, sent it; it came by a file.
 */
const assuranceLevels = ["server", "ticketed", "browser", "imported"] as const;
export type AssuranceLevel = (typeof assuranceLevels)[number];

/** The grade of a row: the column says it where the way that the record came does not. */
export function toAssuranceLevel(row: { grade: string | null; import_id: string | null }): AssuranceLevel {
  const named = assuranceLevels.find((grade) => grade === row.grade);
  return named ?? (row.import_id === null ? "browser" : "imported");
}

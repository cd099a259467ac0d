/**
 * Assurance levels: how reliable it is that a visitor gave this answer to what was displayed. `server`: an
 * authenticated caller sent it; `ticketed`: it came with a valid display ticket; `browser`: any client may have sent
 * it; `imported`: it came from a file, or from the record of another consent tool in the visitor's browser.
 */
const assuranceLevels = ["server", "ticketed", "browser", "imported"] as const;
export type AssuranceLevel = (typeof assuranceLevels)[number];

/** The assurance level of a row. The column is null where the level follows from `import_id`. */
export function toAssuranceLevel(row: {
  grade: string | null;
  import_id: string | null;
}): AssuranceLevel {
  const named = assuranceLevels.find((grade) => grade === row.grade);
  return named ?? (row.import_id === null ? "browser" : "imported");
}

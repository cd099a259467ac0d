/** Sort fields of lists of assets, with their columns. */
export const sortColumns = {
  createdAt: "created_at",
  uploadedAt: "created_at",
  originalName: "original_name",
  size: "size",
} as const;
export const sortFields = Object.keys(sortColumns) as (keyof typeof sortColumns)[];

export interface Sort {
  field: (typeof sortFields)[number];
  direction: "asc" | "desc";
}

/** Parses sort fields such as `field,-other`. */
export function toSorts(text: string | undefined): Sort[] {
  const known: readonly string[] = sortFields;
  return (text ?? "").split(",").flatMap((one): Sort[] => {
    const name = one.replace(/^-/, "");
    const field = sortFields[known.indexOf(name)];
    return field ? [{ field, direction: one.startsWith("-") ? "desc" : "asc" }] : [];
  });
}

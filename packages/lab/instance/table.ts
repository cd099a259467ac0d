export interface Column {
  title: string;
  align?: "right";
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** East Asian wide and full-width characters, and emoji: two cells of a terminal. */
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6])/u;

/** Formats rows as a table with column titles, two spaces apart, without a trailing newline. */
export function toTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const cells = [columns.map(({ title }) => title), ...rows].map((row) => row.map(toPrintable));
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => toWidth(row[at] ?? ""))));
  const rule = widths.map((width) => "─".repeat(width)).join("──");
  const lines = cells.map((row) =>
    columns
      .map(({ align }, at) => pad(row[at] ?? "", widths[at] ?? 0, align))
      .join("  ")
      .trimEnd(),
  );
  return [lines[0], rule, ...lines.slice(1)].map((line) => `  ${line}`).join("\n");
}

/** The width of a text in terminal cells. */
export function toWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}

function pad(text: string, width: number, align: Column["align"]): string {
  const space = " ".repeat(Math.max(0, width - toWidth(text)));
  return align === "right" ? space + text : text + space;
}

/** Removes control characters, because untrusted text must not control the terminal. */
function toPrintable(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, " ");
}

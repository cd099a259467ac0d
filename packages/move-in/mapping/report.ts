import { toPlainText } from "./plain-text.ts";

/**
 * `not mapped`: Avow has no such field, or the field is computed by a program. `changed`: mapped in another form.
 * `invalid`: the value has another type than the product writes. `decide`: a person has to decide.
 */
type ReportKind = "not mapped" | "changed" | "invalid" | "decide";

export interface ReportLine {
  kind: ReportKind;
  /** The place of the value in the source, such as `DomainData.Groups[2].Hosts`. */
  path: string;
  reason: string;
}

/** Everything that a proposal leaves out or changes, item by item. */
export interface Report {
  lines: readonly ReportLine[];
  /** Lines beyond the limit, which are only counted. */
  omitted: number;
  add: (kind: ReportKind, path: string, reason: string) => void;
}

const LINES_MAX = 2_000;
const PATH_LENGTH_MAX = 200;
const REASON_LENGTH_MAX = 500;

/** Opens an empty report. It keeps each line once; texts of the source are made plain. */
export function openReport(): Report {
  const lines: ReportLine[] = [];
  const known = new Set<string>();
  const report = {
    lines,
    omitted: 0,
    add(kind: ReportKind, path: string, reason: string) {
      if (lines.length >= LINES_MAX) {
        report.omitted += 1;
        return;
      }
      const line = {
        kind,
        path: toPlainText(path, PATH_LENGTH_MAX),
        reason: toPlainText(reason, REASON_LENGTH_MAX),
      };
      const key = JSON.stringify(line);
      if (known.has(key)) return;
      known.add(key);
      lines.push(line);
    },
  };
  return report;
}

import type { ColumnType } from "../../../platform/db/composite.ts";
import { columns } from "../records/row.ts";
import { toSignals } from "../records/signals.ts";
import type { Preferences } from "@avow/contract/consents";
import { type Encoder, openInstants, toOneLine, toPieces } from "./encoder.ts";
import type { Page } from "./pages.ts";
import { type Column, exportedColumns } from "./store.ts";

/** Columns that `toLines` places explicitly, even if they are null. */
const placed = new Set<Column>(["value", "preferences", "version", "country", "gpc"]);
/** Columns that become members with their exported name, left out if null. */
const members = exportedColumns.filter((name) => columns[name].isOptional && !placed.has(name));
const withGpc = JSON.stringify(toSignals(true, null));
const withoutGpc = JSON.stringify(toSignals(false, null));

/** NDJSON: each record as in the list of consents, but without `receipt` and `links`. */
export function openNdjson({ projectId }: { projectId: string }): Encoder {
  const toInstant = openInstants();
  const project = `","projectId":${JSON.stringify(projectId)},"collection":"`;
  return {
    columns: exportedColumns,
    isAppendable: true,
    begin: () => [],
    encode: (page) => toPieces(page.count, toLines(page, { project, toInstant })),
    end: () => [],
  };
}

function toLines(
  page: Page,
  { project, toInstant }: { project: string; toInstant: (ms: string) => string },
): (n: number) => string {
  const read = (name: Column): [Column, string[]] => [
    name,
    page.valuesOf(name, columns[name].type === "json" ? toOneLine : undefined),
  ];
  const of = Object.fromEntries(exportedColumns.map(read)) as Record<Column, string[]>;
  const optional = members.map((name) => ({
    begin: `,"${columns[name].exported}":`,
    values: of[name],
    // Old records have an empty list of warnings.
    empty: columns[name].type === "json" ? "[]" : "",
    toJson: toMemberJson(columns[name].type, toInstant),
  }));
  const toMembers = (n: number): string => {
    let text = "";
    for (const { begin, values, empty, toJson } of optional) {
      const value = values[n];
      if (value && value !== empty) text += begin + toJson(value);
    }
    return text;
  };
  return (n) => {
    const id = of.id[n] ?? "";
    const country = of.country[n] ? `,"country":${JSON.stringify(of.country[n])}` : "";
    return (
      `{"consentId":"${id}","_id":"${id}${project}${of.collection[n] ?? ""}"` +
      `,"identifier":${JSON.stringify(of.identifier[n])},"token":${JSON.stringify(of.token[n])}` +
      `,"accept":${page.accept[n] === "1"},"preferences":${of.preferences[n] || "{}"}` +
      `,"value":${of.value[n] || "null"},"createdAt":"${toInstant(of.created_at[n] ?? "")}"` +
      `,"version":${of.version[n] || "null"},"grade":"${of.grade[n] ?? ""}"` +
      `,"signals":${toSignalsJson(of.gpc[n], of.preferences[n])}` +
      `,"headers":{"userAgent":${JSON.stringify(of.user_agent[n])}${country}}${toMembers(n)}}\n`
    );
  };
}

/** A value as JSON, by the type of its column. */
function toMemberJson(
  type: ColumnType,
  toInstant: (ms: string) => string,
): (value: string) => string {
  if (type === "text" || type === "uuid") return JSON.stringify;
  if (type === "timestamptz") return (ms) => `"${toInstant(ms)}"`;
  return (json) => json;
}

/** The signals of a record. Preferences are parsed only if they contain signals, which most do not. */
function toSignalsJson(gpc: string | undefined, preferences = ""): string {
  if (!gpc) return "null";
  const says = preferences.includes('"googleConsentMode"') || preferences.includes('"tcString"');
  if (!says) return gpc === "true" ? withGpc : withoutGpc;
  return JSON.stringify(toSignals(gpc === "true", JSON.parse(preferences) as Preferences));
}

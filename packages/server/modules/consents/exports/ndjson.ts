import { toSignals } from "../records/signals.ts";
import type { Preferences } from "@avow/contract/consents";
import { type Encoder, openInstants, toOneLine, toPieces } from "./encoder.ts";
import type { Page } from "./pages.ts";
import type { Column } from "./store.ts";

const columns = [
  "id",
  "token",
  "collection",
  "identifier",
  "createdAt",
  "preferences",
  "value",
  "version",
  "timestamp",
  "language",
  "url",
  "country",
  "userAgent",
  "import",
  "warnings",
  "grade",
  "gpc",
  "displayedAt",
] as const satisfies readonly Column[];
const withGpc = JSON.stringify(toSignals(true, null));
const withoutGpc = JSON.stringify(toSignals(false, null));
const texts = new Set<Column>(["token", "identifier", "language", "url", "country", "userAgent"]);

/** NDJSON: each record as the registry answers it, but without `receipt` and `links`. */
export function openNdjson({ projectId }: { projectId: string }): Encoder {
  const toInstant = openInstants();
  const project = `","projectId":${JSON.stringify(projectId)},"collection":"`;
  return {
    columns,
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
  const read = (column: Column): [Column, string[]] => [
    column,
    page.valuesOf(column, texts.has(column) ? undefined : toOneLine),
  ];
  const of = Object.fromEntries(columns.map(read)) as Record<Column, string[]>;
  /** A member that is left out when there is nothing. */
  const toMember = (name: Column, n: number): string =>
    of[name][n] ? `,"${name}":${JSON.stringify(of[name][n])}` : "";
  return (n) => {
    const id = of.id[n] ?? "";
    const agent = `"headers":{"userAgent":${JSON.stringify(of.userAgent[n])}${toMember("country", n)}}`;
    const said = of.timestamp[n] ? `,"timestamp":"${toInstant(of.timestamp[n])}"` : "";
    const displayed = of.displayedAt[n] ? `,"displayedAt":"${toInstant(of.displayedAt[n])}"` : "";
    const warnings =
      of.warnings[n] && of.warnings[n] !== "[]" ? `,"warnings":${of.warnings[n]}` : "";
    return (
      `{"consentId":"${id}","_id":"${id}${project}${of.collection[n] ?? ""}"` +
      `,"identifier":${JSON.stringify(of.identifier[n])},"token":${JSON.stringify(of.token[n])}` +
      `,"accept":${page.accept[n] === "1"},"preferences":${of.preferences[n] || "{}"}` +
      `,"value":${of.value[n] || "null"},"createdAt":"${toInstant(of.createdAt[n] ?? "")}"` +
      `,"version":${of.version[n] || "null"},"grade":"${of.grade[n] ?? ""}"` +
      `,"signals":${toSignalsJson(of.gpc[n], of.preferences[n])},${agent}${displayed}${said}` +
      `${toMember("language", n)}${toMember("url", n)}${toMember("import", n)}${warnings}}\n`
    );
  };
}

/** The signals of a record by its columns; most say nothing for other systems, and are not parsed. */
function toSignalsJson(gpc: string | undefined, preferences = ""): string {
  if (!gpc) return "null";
  const says = preferences.includes('"googleConsentMode"') || preferences.includes('"tcString"');
  if (!says) return gpc === "true" ? withGpc : withoutGpc;
  return JSON.stringify(toSignals(gpc === "true", JSON.parse(preferences) as Preferences));
}

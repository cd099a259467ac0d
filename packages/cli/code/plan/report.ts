// A plan for people and for programs.
import { styleText } from "node:util";
import type { AsksAgain } from "@avow/client/operations";
import { type Change, type Plan, type ProjectPlan, listAllChanges } from "./plan.ts";
import type { FieldChange } from "./differences.ts";
import type { Publication } from "./publication.ts";
import type { StoredDocument } from "./stored.ts";

const TEXT_LENGTH_MAX = 70;
const FIELDS_SHOWN = 40;
const FINDINGS_SHOWN = 20;
const ITEMS_SHOWN = 10;

const marks = {
  create: { mark: "+", color: "green", verb: "create" },
  update: { mark: "~", color: "yellow", verb: "change" },
  delete: { mark: "-", color: "red", verb: "delete" },
} as const;

/** A document for people, such as `banner “shop” (fr)`. */
export function describe({ kind, name, language }: Pick<Change, "kind" | "name" | "language">) {
  if (kind.identity === undefined) return kind.noun;
  return `${kind.noun} “${toPrintable(name)}”${kind.isTranslated && language !== undefined ? ` (${language})` : ""}`;
}

function countChanges(plan: Plan): Record<Change["action"], number> {
  const counts = { create: 0, update: 0, delete: 0 };
  for (const { action } of listAllChanges(plan)) counts[action] += 1;
  return counts;
}

/** The plan as text, in colours on a terminal. */
export function toText(plan: Plan): string {
  const { shared, projects } = plan;
  const lines: string[] = [];
  if (shared.changes.length + shared.kept.length > 0)
    lines.push(bold("Vendors of the organization"), "", ...listDocuments(shared), "");
  for (const project of projects) lines.push(...listProject(project), "");
  const { create, update, delete: removed } = countChanges(plan);
  lines.push(
    create + update + removed === 0
      ? "No changes: the service has what the files say."
      : bold(`Plan: ${create} to create, ${update} to change, ${removed} to delete.`),
  );
  return `${lines.join("\n")}\n`;
}

function listProject(project: ProjectPlan): string[] {
  const { title, stored, changes, kept, publication } = project;
  return [
    bold(`Project “${toPrintable(title)}”`) + dim(stored ? ` ${stored.id}` : " (new)"),
    "",
    ...(changes.length + kept.length === 0 ? ["  No changes."] : listDocuments(project)),
    "",
    ...(publication
      ? listPublication(publication)
      : [
          stored
            ? "  The changes are too large for a preview: avow apply reports what the service finds."
            : "  Nobody is asked again: the project is new. Its publish check runs after avow apply.",
        ]),
  ];
}

function listDocuments({
  changes,
  kept,
}: {
  changes: readonly Change[];
  kept: readonly StoredDocument[];
}) {
  return [
    ...changes.flatMap((change) => {
      const { mark, color, verb } = marks[change.action];
      const file = change.action === "delete" ? "" : dim(`  ${change.file.file}`);
      const fields = change.action === "update" ? change.fields : [];
      const more =
        fields.length > FIELDS_SHOWN
          ? [dim(`      … and ${fields.length - FIELDS_SHOWN} more`)]
          : [];
      return [
        `  ${styleText(color, `${mark} ${verb}`)}  ${describe(change)}${file}`,
        ...fields.slice(0, FIELDS_SHOWN).map(toFieldLine),
        ...more,
      ];
    }),
    ...kept.map((one) =>
      dim(`  · keep    ${describe(one)}, which has no file; --prune deletes it`),
    ),
  ];
}

function toFieldLine({ path: raw, before, after }: FieldChange): string {
  const path = toPrintable(raw);
  if (before === undefined)
    return `      ${styleText("green", "+")} ${path}: ${styleText("green", toShort(after))}`;
  if (after === undefined)
    return `      ${styleText("red", "-")} ${path}: ${styleText("red", toShort(before))}`;
  const [earlier, later] = toShortPair(before, after);
  return `        ${path}: ${styleText("red", earlier)} → ${styleText("green", later)}`;
}

/** Two texts around their first difference. */
function toShortPair(before: unknown, after: unknown): [string, string] {
  if (typeof before !== "string" || typeof after !== "string")
    return [toShort(before), toShort(after)];
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const from = Math.max(0, same - TEXT_LENGTH_MAX / 2);
  const cut = (text: string) => (from === 0 ? toShort(text) : toShort(`…${text.slice(from)}`));
  return [cut(before), cut(after)];
}

function toShort(value: unknown): string {
  const text = toPrintable(JSON.stringify(value));
  return text.length <= TEXT_LENGTH_MAX ? text : `${text.slice(0, TEXT_LENGTH_MAX - 1)}…`;
}

/** The findings and re-consents of a publication, for people. */
export function listPublication(publication: Publication): string[] {
  return [...listFindings(publication), ...listAsksAgain(publication.asksAgain)];
}

function listFindings({ errors, warnings, findings }: Publication): string[] {
  if (errors + warnings === 0) return [`  ${styleText("green", "✓")} Publish check: no findings`];
  const shown = findings
    .slice(0, FINDINGS_SHOWN)
    .flatMap(({ severity, message, document, fix }) => [
      `    ${styleText(severity === "error" ? "red" : "yellow", severity)}  ${toPrintable(message)} ${dim(`(${toPrintable(document)})`)}`,
      dim(`           ${toPrintable(fix)}`),
    ]);
  const rest = errors + warnings - Math.min(findings.length, FINDINGS_SHOWN);
  return [
    `  ${styleText(errors > 0 ? "red" : "yellow", "!")} Publish check: ${count(errors, "error")}, ${count(warnings, "warning")}`,
    ...shown,
    ...(rest > 0 ? [dim(`    … and ${rest} more`)] : []),
  ];
}

function listAsksAgain({ tokens, atLeast, count: total, items }: AsksAgain): string[] {
  if (total === 0)
    return [
      `  ${styleText("green", "✓")} No acceptance ends; everybody is asked about what is new, once`,
    ];
  const people = `${tokens.toLocaleString("en")}${atLeast ? " or more" : ""}`;
  return [
    `  ${styleText("yellow", "!")} ${bold(`Asked again after publication: ${people} ${tokens === 1 ? "token" : "tokens"}`)}`,
    ...items
      .slice(0, ITEMS_SHOWN)
      .map(
        ({ name, additions, tokens: own }) =>
          `      ${toPrintable(name)}: ${additions.join(", ")} ${dim(`(accepted by ${own.toLocaleString("en")})`)}`,
      ),
    ...(total > ITEMS_SHOWN ? [dim(`      … and ${total - ITEMS_SHOWN} more`)] : []),
  ];
}

/** A text without characters that control a terminal. */
const toPrintable = (text: string): string => text.replace(/\p{Cc}/gu, "�");
const bold = (text: string) => styleText("bold", text);
const dim = (text: string) => styleText("dim", text);
const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** A change in JSON. */
function toChangeJson(change: Change) {
  const { action, kind, name, language } = change;
  return {
    action,
    kind: kind.kind,
    name,
    ...(language === undefined ? {} : { language }),
    ...(change.action === "create" ? {} : { id: change.stored.id, version: change.stored.version }),
    ...(change.action === "delete" ? {} : { file: change.file.file }),
    ...(change.action === "update" ? { fields: change.fields } : {}),
    ...(change.action === "create" ? { value: change.file.value } : {}),
  };
}

const toKeptJson = ({ kind, name, language, id }: StoredDocument) => ({
  kind: kind.kind,
  name,
  ...(language === undefined ? {} : { language }),
  id,
});

/** The plan for programs. `format` changes when a member changes its meaning. */
export function toJson(plan: Plan) {
  const { organizationId, shared, projects } = plan;
  return {
    format: 1,
    counts: countChanges(plan),
    ...(organizationId === undefined ? {} : { organizationId }),
    vendors: { changes: shared.changes.map(toChangeJson), kept: shared.kept.map(toKeptJson) },
    projects: projects.map(({ title, folder, stored, changes, kept, publication }) => ({
      title,
      folder,
      id: stored?.id ?? null,
      changes: changes.map(toChangeJson),
      kept: kept.map(toKeptJson),
      publication: publication ?? null,
    })),
  };
}

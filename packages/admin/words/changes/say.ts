import type { Change, ChangeValue } from "@avow/client/operations";
import { toLanguageName } from "../../browser/format.ts";
import { editorWords } from "../editor.ts";
import { words } from "../words.ts";
import { changesWords } from "./words.ts";

/** What the field of a change is called in the editor; undefined where the change is of all of an item. */
export function labelOf({ field, label }: Change): string | undefined {
  if (label !== undefined || field === undefined) return label;
  const { fields, design } = editorWords.value;
  const keys = field.split(".");
  const last = keys.at(-1) ?? "";
  const [kind, name] = keys.slice(-2);
  const placed: Readonly<Record<string, string | undefined>> = {
    "colors.main": design.names.main,
    "colors.background": design.names.background,
    "colors.text": design.names.text,
    "colors.title": design.names.title,
    "widgetStyle.position": design.position,
    "widgetStyle.colorScheme": design.scheme,
    "widgetStyle.borderRadius": design.radius,
    "widgetStyle.padding": design.padding,
    "fonts.title": design.titleFont,
    "fonts.text": design.textFont,
  };
  const own = changesWords.value.fields;
  const both = `${kind}.${name}`;
  return placed[both] ?? own[both] ?? own[last] ?? fields[last] ?? last;
}

/** A value as the editor shows it: choices by their names, switches as on or off. */
export function sayValue({ type, text }: ChangeValue, field: string | undefined): string {
  const { on, off } = changesWords.value;
  if (type === "switch") return text === "on" ? on : off;
  return namesOf(field?.split(".").at(-1))[text] ?? sayLanguage(text, field) ?? text;
}

function namesOf(field: string | undefined): Readonly<Record<string, string>> {
  const { steps, design } = editorWords.value;
  if (field === "layout") return steps.layouts;
  if (field === "position") return design.positions;
  return field === "colorScheme" ? design.schemes : {};
}

function sayLanguage(code: string, field: string | undefined): string | undefined {
  return field === "language" && isLanguage(code) ? toLanguageName(code) : undefined;
}

/** Whether the browser can name a language: not all that looks like a tag is one. */
export function isLanguage(code: string): boolean {
  try {
    return Intl.getCanonicalLocales(code).length === 1;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** What happened to an item as a whole, or what a change of a field means beyond the field, in a word or two. */
export function sayKind({
  kind,
  class: name,
  path,
  before,
  after,
  field,
}: Change): string | undefined {
  const said = changesWords.value;
  if (kind === "moved") {
    const [from, to] = [before?.text ?? "", after?.text ?? ""];
    return before?.type === "step" ? said.movedStep(from, to) : said.moved(from, to);
  }
  if (path === "/client/DPO") return said.unsaid;
  if (!plain.has(name)) return words.value.project.changeClasses[name];
  if (field !== undefined) return undefined;
  if (kind === "new") return said.added;
  return kind === "removed" ? said.gone : undefined;
}

/** Classes that say no more than what stands there. */
const plain = new Set<Change["class"]>(["wording", "settings", "design", "new-controller"]);

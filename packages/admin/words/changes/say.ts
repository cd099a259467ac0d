import type { Change, ChangeValue } from "@avow/client/operations";
import { toLanguageName } from "../../browser/format.ts";
import { editorWords } from "../editor.ts";
import { words } from "../words.ts";
import { changesWords } from "./words.ts";

/** The editor's label of a changed field; undefined for a change of a whole item. */
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

/** A value as the editor shows it: options by their names, switches as on or off. */
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

/** Whether the browser can name a language. Not everything that looks like a tag is valid. */
export function isLanguage(code: string): boolean {
  try {
    return Intl.getCanonicalLocales(code).length === 1;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** A short label for a change of a whole item, or for the meaning of a field's change. */
export function sayKind({
  kind,
  class: name,
  path,
  before,
  after,
  field,
}: Change): string | undefined {
  const texts = changesWords.value;
  if (kind === "moved") {
    const [from, to] = [before?.text ?? "", after?.text ?? ""];
    return before?.type === "step" ? texts.movedStep(from, to) : texts.moved(from, to);
  }
  if (path === "/client/DPO") return texts.unsaid;
  if (!plain.has(name)) return words.value.project.changeClasses[name];
  if (field !== undefined) return undefined;
  if (kind === "new") return texts.added;
  return kind === "removed" ? texts.gone : undefined;
}

/** Classes that add no information to the change itself. */
const plain = new Set<Change["class"]>(["wording", "settings", "design", "new-controller"]);

import type { ChangeValue, ChangedItem, Found, ItemType } from "./change.ts";
import { labelOf } from "@avow/contract/labels";

const nouns: Record<ItemType, string> = {
  step: "The step",
  vendor: "The vendor",
  partner: "The partner",
  processor: "The recipient",
  button: "The button",
  confirmation: "The confirmation screen",
  entry: "The entry",
};

interface Values {
  before?: ChangeValue;
  after?: ChangeValue;
}

/** A change as a sentence in English, and what it names, in its order. */
export function sayChange(found: Found, values: Values): { message: string; about: string[] } {
  const { meaning, item, configuration, keys, kind } = found;
  if (meaning) {
    const said = sayValues(values);
    return {
      message: `${meaning.sentence}${said === "" ? "" : `: ${said}`}.`,
      about: meaning.about,
    };
  }
  const subject = sayItem(item) ?? (configuration ? `“${configuration.name}”` : undefined);
  const name = item?.name ?? configuration?.name;
  if (keys.length === 0)
    return { message: `${subject ?? "It"} ${sayKind(kind, values)}.`, about: name ? [name] : [] };
  const label = labelOf(keys);
  const what = subject === undefined ? `“${label}”` : `${subject}: “${label}”`;
  return {
    message: `${what} ${sayKind(kind, values)}.`,
    about: name === undefined ? [label] : [name, label],
  };
}

function sayItem(item: ChangedItem | undefined): string | undefined {
  return item && `${nouns[item.type]} “${item.name}”`;
}

function sayKind(kind: Found["kind"], { before, after }: Values): string {
  if (kind === "moved") return `moved from ${sayValue(before)} to ${sayValue(after)}`;
  if (kind === "new") return after ? `is new: ${sayValue(after)}` : "is new";
  if (kind === "removed") return before ? `is gone: ${sayValue(before)}` : "is gone";
  if (!before && !after) return "is another";
  return `changed: ${sayValues({ ...(before && { before }), ...(after && { after }) })}`;
}

function sayValues({ before, after }: Values): string {
  if (before?.type === "list" || after?.type === "list")
    return [before && `without ${before.text}`, after && `with ${after.text}`]
      .filter(Boolean)
      .join("; ");
  return before || after ? `${sayValue(before)} → ${sayValue(after)}` : "";
}

function sayValue(value: ChangeValue | undefined): string {
  if (!value) return "nothing";
  return value.type === "text" || value.type === "step" ? `“${value.text}”` : value.text;
}

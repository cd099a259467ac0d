import type { ChangeValue, ChangedItem, DetectedChange, ItemType } from "./change.ts";
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

/** Describes a change in an English sentence, and lists the values in it, in its order. */
export function describeChange(
  found: DetectedChange,
  values: Values,
): { message: string; about: string[] } {
  const { meaning, item, configuration, keys, kind } = found;
  if (meaning) {
    const difference = describeValues(values);
    return {
      message: `${meaning.sentence}${difference === "" ? "" : `: ${difference}`}.`,
      about: meaning.about,
    };
  }
  const subject = describeItem(item) ?? (configuration ? `“${configuration.name}”` : undefined);
  const name = item?.name ?? configuration?.name;
  if (keys.length === 0)
    return {
      message: `${subject ?? "It"} ${describeKind(kind, values)}.`,
      about: name ? [name] : [],
    };
  const label = labelOf(keys);
  const what = subject === undefined ? `“${label}”` : `${subject}: “${label}”`;
  return {
    message: `${what} ${describeKind(kind, values)}.`,
    about: name === undefined ? [label] : [name, label],
  };
}

function describeItem(item: ChangedItem | undefined): string | undefined {
  return item && `${nouns[item.type]} “${item.name}”`;
}

function describeKind(kind: DetectedChange["kind"], { before, after }: Values): string {
  if (kind === "moved") return `moved from ${describeValue(before)} to ${describeValue(after)}`;
  if (kind === "new") return after ? `is new: ${describeValue(after)}` : "is new";
  if (kind === "removed") return before ? `was removed: ${describeValue(before)}` : "was removed";
  if (!before && !after) return "changed";
  return `changed: ${describeValues({ ...(before && { before }), ...(after && { after }) })}`;
}

function describeValues({ before, after }: Values): string {
  if (before?.type === "list" || after?.type === "list")
    return [before && `without ${before.text}`, after && `with ${after.text}`]
      .filter(Boolean)
      .join("; ");
  return before || after ? `${describeValue(before)} → ${describeValue(after)}` : "";
}

function describeValue(value: ChangeValue | undefined): string {
  if (!value) return "nothing";
  return value.type === "text" || value.type === "step" ? `“${value.text}”` : value.text;
}

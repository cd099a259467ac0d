import type { Processor, Vendor } from "@avow/contract/configuration";
import { isObject, readText } from "@avow/contract/json";
import { type AnyConfiguration, type PublishedStep, shownTitleOf } from "@avow/contract/published";
import { titleOf } from "@avow/contract/labels";
import { toPlainText } from "./plain-text.ts";

/** The field of a configuration that contains a text. */
export type TextKind =
  | "title"
  | "topTitle"
  | "subTitle"
  | "message"
  | "purpose"
  | "accept"
  | "button"
  | "shortDescription"
  | "longDescription"
  | "domain"
  | "policyUrl"
  | "withdrawal"
  | "personalData"
  | "retention"
  | "automatedDecisions"
  | "processor"
  | "file"
  | "string";

/** A published text for visitors. */
export interface ShownText {
  kind: TextKind;
  /** The path of a widget's text, such as `strings.cookies.acceptAll`. */
  name?: string;
  text: string;
  /** The same in months, if it is a duration. */
  months?: number;
}

/** A step, a vendor or the configuration itself, with its texts in order. */
export interface ShownPart {
  kind: "configuration" | "step" | "vendor";
  name: string;
  texts: ShownText[];
}

const STRINGS_DEPTH_MAX = 4;

/**
 * The texts of a published configuration, in its order, with HTML converted to plain text. Omits fields that the
 * service does not know, which a design may add: they are in the published file.
 */
export function toShown(configuration: AnyConfiguration): ShownPart[] {
  const { buttons = [], steps = [] } = configuration;
  const own: ShownPart = {
    kind: "configuration",
    name: titleOf(configuration) ?? "",
    texts: [
      ...toHead({ ...configuration, title: shownTitleOf(configuration) }),
      ...toProcessingTexts(configuration),
      ...buttons.flatMap(({ text }) => toText("button", text)),
    ],
  };
  const words = (["strings", "consentWidgetStrings"] as const).flatMap((name) =>
    toStrings(configuration[name], name),
  );
  return [{ ...own, texts: [...own.texts, ...words] }, ...steps.flatMap(toStep)];
}

function toStep(step: PublishedStep): ShownPart[] {
  const { name, vendors = [] } = step;
  const texts = [...toHead(step), ...toStrings(step.strings, "strings")];
  return [{ kind: "step", name, texts }, ...vendors.map(toVendor)];
}

function toVendor(vendor: Vendor): ShownPart {
  const kinds = ["title", "shortDescription", "longDescription", "domain", "policyUrl"] as const;
  return { kind: "vendor", name: vendor.name, texts: toTexts(vendor, kinds) };
}

interface Head {
  topTitle?: unknown;
  title?: unknown;
  subTitle?: unknown;
  message?: unknown;
}

function toHead(head: Head): ShownText[] {
  return toTexts(head, ["topTitle", "title", "subTitle", "message"]);
}

function toTexts<K extends TextKind>(
  fields: { readonly [kind in K]?: unknown },
  kinds: readonly K[],
): ShownText[] {
  return kinds.flatMap((kind) => {
    const [text] = toText(kind, fields[kind]);
    if (!text) return [];
    return kind === "message" ? { ...text, text: toPlainText(text.text) } : text;
  });
}

function toProcessingTexts(configuration: AnyConfiguration): ShownText[] {
  const { personalDataTypes = [], processors = [], storageDuration: months } = configuration;
  return [
    ...toTexts(configuration, ["purpose"]),
    ...toText("personalData", personalDataTypes.filter((one) => readText(one)).join(", ")),
    ...processors.flatMap((processor) => toText("processor", toProcessorText(processor))),
    ...(months === undefined
      ? []
      : [{ kind: "retention" as const, text: toMonths(months), months }]),
    ...toText("automatedDecisions", configuration.automatedDecisionsDetails),
    ...toText("automatedDecisions", configuration.automatedDecisionsContact),
    ...toText("withdrawal", configuration.consentWithdraw),
    ...toTexts(configuration, ["file", "accept"]),
  ];
}

/** The text, unless it is empty or no string. */
function toText(kind: TextKind, value: unknown): ShownText[] {
  const text = readText(value);
  return text === undefined ? [] : [{ kind, text }];
}

function toProcessorText({ name, role, shortDescription, website }: Processor): string {
  return [name, role, shortDescription, website].filter((one) => readText(one)).join(" · ");
}

/** The texts of a widget, at any depth, named by their paths. */
function toStrings(value: unknown, name: string, depth = 0): ShownText[] {
  if (typeof value === "string" && value.trim() !== "")
    return [{ kind: "string", name, text: toPlainText(value) }];
  if (!isObject(value) || depth === STRINGS_DEPTH_MAX) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    toStrings(inner, `${name}.${key}`, depth + 1),
  );
}

/** Months as an ISO 8601 duration. */
export function toMonths(months: number): string {
  return Number.isInteger(months) ? `P${months}M` : `P${Math.round(months * 30)}D`;
}

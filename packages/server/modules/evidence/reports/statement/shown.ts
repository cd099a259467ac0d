import { type Fields, toFields, toLine, toLines, toList, toNumber } from "./fields.ts";
import { toPlainText } from "./plain-text.ts";

/** What a text was in what was shown; people read the label of each in their language. */
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

/** One text that was published to be shown. */
export interface ShownText {
  kind: TextKind;
  /** The name of a text that the widget looks up. */
  name?: string;
  text: string;
  /** The same in months, where it is a time. */
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
 * The texts of a configuration as it was published, in the order in which they stand in it, HTML as
 * plain text. What a design adds beside the fields that the service knows is in the published file.
 */
export function toShown(configuration: Fields): ShownPart[] {
  const own: ShownPart = {
    kind: "configuration",
    name: nameOf(configuration) ?? "",
    texts: [
      ...toHead(configuration),
      ...toProcessingTexts(configuration),
      ...toList(configuration["buttons"]).flatMap(({ text }) => toText("button", text)),
    ],
  };
  const words = ["strings", "consentWidgetStrings"].flatMap((name) =>
    toStrings(configuration[name], name),
  );
  return [
    { ...own, texts: [...own.texts, ...words] },
    ...toList(configuration["steps"]).flatMap(toStep),
  ];
}

/** What people call a configuration. */
export function nameOf(configuration: Fields): string | undefined {
  return toLine(configuration["title"]) ?? toLine(configuration["name"]);
}

/** The vendors of a cookie configuration, each once, in the order of its steps. */
export function vendorsOf(configuration: Fields): Map<string, Fields> {
  const found = new Map<string, Fields>();
  for (const step of toList(configuration["steps"]))
    for (const vendor of toList(step["vendors"])) {
      const slug = toLine(vendor["name"]);
      if (slug !== undefined && !found.has(slug)) found.set(slug, vendor);
    }
  return found;
}

function toStep(step: Fields): ShownPart[] {
  const name = toLine(step["name"]) ?? "";
  const texts = [...toHead(step), ...toStrings(step["strings"], "strings")];
  return [{ kind: "step", name, texts }, ...toList(step["vendors"]).map(toVendor)];
}

function toVendor(vendor: Fields): ShownPart {
  const kinds = ["title", "shortDescription", "longDescription", "domain", "policyUrl"] as const;
  const name = toLine(vendor["name"]) ?? "";
  return { kind: "vendor", name, texts: toTexts(vendor, kinds) };
}

function toHead(fields: Fields): ShownText[] {
  return toTexts(fields, ["topTitle", "title", "subTitle", "message"]);
}

function toTexts(fields: Fields, kinds: readonly TextKind[]): ShownText[] {
  return kinds.flatMap((kind) => {
    const [text] = toText(kind, fields[kind]);
    if (!text) return [];
    return kind === "message" ? { ...text, text: toPlainText(text.text) } : text;
  });
}

function toProcessingTexts(configuration: Fields): ShownText[] {
  const months = toNumber(configuration["storageDuration"]);
  return [
    ...toTexts(configuration, ["purpose"]),
    ...toText("personalData", toLines(configuration["personalDataTypes"]).join(", ")),
    ...toList(configuration["processors"]).flatMap((processor) =>
      toText("processor", toProcessorText(processor)),
    ),
    ...(months === undefined
      ? []
      : [{ kind: "retention" as const, text: toMonths(months), months }]),
    ...toText("automatedDecisions", configuration["automatedDecisionsDetails"]),
    ...toText("automatedDecisions", configuration["automatedDecisionsContact"]),
    ...toText("withdrawal", configuration["consentWithdraw"]),
    ...toTexts(configuration, ["file", "accept"]),
  ];
}

/** A text that says something; none for anything else. */
function toText(kind: TextKind, value: unknown): ShownText[] {
  const text = toLine(value);
  return text === undefined ? [] : [{ kind, text }];
}

function toProcessorText(processor: Fields): string {
  const parts = ["name", "role", "shortDescription", "website"];
  return parts.flatMap((name) => toLine(processor[name]) ?? []).join(" · ");
}

/** The words of a widget, at any depth, by their names: `strings.cookies.acceptAll`. */
function toStrings(value: unknown, name: string, depth = 0): ShownText[] {
  if (typeof value === "string" && value.trim() !== "")
    return [{ kind: "string", name, text: toPlainText(value) }];
  if (typeof value !== "object" || value === null || depth === STRINGS_DEPTH_MAX) return [];
  return Object.entries(toFields(value)).flatMap(([key, inner]) =>
    toStrings(inner, `${name}.${key}`, depth + 1),
  );
}

/** Months as an ISO 8601 duration, which no language reads wrongly. */
export function toMonths(months: number): string {
  return Number.isInteger(months) ? `P${months}M` : `P${Math.round(months * 30)}D`;
}

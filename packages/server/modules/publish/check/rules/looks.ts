import { parse, wcagContrast } from "culori";
import { LARGE_MIN, TEXT_MIN, ownColors } from "../../content/theme.ts";
import { type JsonObject, readText } from "@avow/contract/json";
import type { Fault, Rule } from "./finding.ts";

/** The widget's default colours. */
const defaults = {
  background: ownColors.background,
  text: ownColors.text,
  title: ownColors.text,
  main: "#1f6feb",
};
type Color = keyof typeof defaults;

const contrast: Rule = {
  id: "contrast",
  severity: "error",
  source: "WCAG 2.2, 1.4.3 (EN 301 549; European Accessibility Act); CNIL 2020-092 §34",
  find({ client: { colors } }) {
    return [
      ...checkContrast(colors, { color: "text", min: TEXT_MIN, what: "Text" }),
      ...checkContrast(colors, { color: "title", min: LARGE_MIN, what: "Titles" }),
    ];
  },
};

const buttonContrast: Rule = {
  id: "button-contrast",
  severity: "warning",
  source: "WCAG 2.2, 1.4.11",
  find: ({ client }) =>
    checkContrast(client.colors, { color: "main", min: LARGE_MIN, what: "Buttons" }),
};

const unknownColor: Rule = {
  id: "unknown-color",
  severity: "warning",
  source: "CSS Color 4",
  find: ({ client }) =>
    Object.entries(client.colors).flatMap(([name, value]): Fault[] =>
      value === "" || parse(toColor(value))
        ? []
        : [
            {
              path: `/client/colors/${toPointer(name)}`,
              message: `“${String(value).slice(0, 40)}” is not a colour and is ignored.`,
              about: [String(value).slice(0, 40)],
              fix: "Use CSS notation, such as #1f6feb.",
            },
          ],
    ),
};

function checkContrast(
  colors: JsonObject,
  { color, min, what }: { color: Color; min: number; what: string },
): Fault[] {
  const [front, back] = [color, "background" as const].map(
    (name) => parse(toColor(colors[name])) ?? parse(defaults[name]),
  );
  // The widget's defaults are readable on its default background.
  const isOwn = !toColor(colors[color]) && !toColor(colors["background"]);
  if (isOwn || !front || !back) return [];
  const ratio = wcagContrast(front, back);
  if (ratio >= min) return [];
  return [
    {
      path: `/client/colors/${color}`,
      message: `${what} ${what === "Text" ? "has" : "have"} a contrast of ${ratio.toFixed(1)} to 1 to the background.`,
      about: [ratio.toFixed(1), String(min)],
      fix: `Choose a colour with at least ${min} to 1. Until then the widget uses a different one.`,
    },
  ];
}

function toColor(value: unknown): string {
  return readText(value)?.trim() ?? "";
}

function toPointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

export const looksRules: readonly Rule[] = [contrast, buttonContrast, unknownColor];

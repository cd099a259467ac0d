import { parse, wcagContrast } from "culori";
import { LARGE_MIN, TEXT_MIN, ownColors } from "../../content/theme.ts";
import { type JsonObject, readText } from "@avow/contract/json";
import type { Fault, Rule } from "./finding.ts";

/** What the widget wears where a project says nothing. */
const worn = {
  background: ownColors.background,
  text: ownColors.text,
  title: ownColors.text,
  main: "#1f6feb",
};
type Color = keyof typeof worn;

const contrast: Rule = {
  id: "contrast",
  severity: "error",
  source: "WCAG 2.2, 1.4.3 (EN 301 549; European Accessibility Act); CNIL 2020-092 §34",
  find({ client: { colors } }) {
    return [
      ...toPair(colors, { color: "text", least: TEXT_MIN, what: "Text" }),
      ...toPair(colors, { color: "title", least: LARGE_MIN, what: "Titles" }),
    ];
  },
};

const buttonContrast: Rule = {
  id: "button-contrast",
  severity: "warning",
  source: "WCAG 2.2, 1.4.11",
  find: ({ client }) => toPair(client.colors, { color: "main", least: LARGE_MIN, what: "Buttons" }),
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
              message: `“${String(value).slice(0, 40)}” is no colour: it is left out.`,
              about: [String(value).slice(0, 40)],
              fix: "Write it as CSS does, such as #1f6feb.",
            },
          ],
    ),
};

function toPair(
  colors: JsonObject,
  { color, least, what }: { color: Color; least: number; what: string },
): Fault[] {
  const [front, back] = [color, "background" as const].map(
    (name) => parse(toColor(colors[name])) ?? parse(worn[name]),
  );
  // What is left to the widget reads well on its own ground.
  const isOwn = !toColor(colors[color]) && !toColor(colors["background"]);
  if (isOwn || !front || !back) return [];
  const ratio = wcagContrast(front, back);
  if (ratio >= least) return [];
  return [
    {
      path: `/client/colors/${color}`,
      message: `${what} ${what === "Text" ? "has" : "have"} a contrast of ${ratio.toFixed(1)} to 1 to the background.`,
      about: [ratio.toFixed(1), String(least)],
      fix: `Choose a colour with at least ${least} to 1; until then the widget takes another.`,
    },
  ];
}

function toColor(value: unknown): string {
  return readText(value)?.trim() ?? "";
}

function toPointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** How it looks. */
export const looksRules: readonly Rule[] = [contrast, buttonContrast, unknownColor];

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";

const folder = new URL("style/", import.meta.url);

/** Values that only the tokens may define. */
const rules: readonly [name: string, breach: RegExp][] = [
  ["a color", /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch|light-dark)\(/i],
  ["a size of text", /^font-size: (?!var\(|inherit|100%|[\d.]+em)/],
  ["a weight of text", /^font-weight: (?!var\(|inherit)/],
  ["a radius", /^border-radius: (?!(?:(?:var\([^)]*\)|0|inherit)\s?)+$)/],
  ["a shadow", /^box-shadow: (?!var\(|none)/],
  ["a duration", /^(?:animation|transition)[\w-]*: .*\b[\d.]+m?s\b(?<!\b1ms)/],
  [
    "a distance",
    /^(?:gap|(?:padding|margin)[\w-]*): (?!.*calc\()(?!.*min\().*\b(?!1px\b)[\d.]+(?:px|rem)\b/,
  ],
];

/** Distances that a size elsewhere decides. */
const exceptions = new Set([
  // A button is in the corner.
  "parts.css: padding-inline-end: 7rem",
  // The height of a label above the field beside it.
  "records.css: padding-top: 1.5625rem",
]);

test("styles take colors, sizes of text, radii, shadows, motion and distances from the tokens", async () => {
  const breaches: string[] = [];
  for (const file of await readdir(folder)) {
    if (file === "tokens.css") continue;
    const css = (await readFile(new URL(file, folder), "utf8")).replace(/\/\*.*?\*\//gs, "");
    const declarations = css.match(/[\w-]+:\s[^;{}]+(?=;)/g) ?? [];
    for (const declaration of declarations.map((one) => one.replace(/\s+/g, " "))) {
      const place = `${file}: ${declaration}`;
      const found = rules.find(([, breach]) => breach.test(declaration));
      if (found && !exceptions.has(place)) breaches.push(`${place} is ${found[0]}`);
    }
  }
  assert.deepEqual(breaches, []);
});

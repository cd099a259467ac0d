// Looks at what oxlint does not read: pages of the docs, migrations, style sheets, shell scripts, pages of HTML.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { findBreachesOfText } from "./rules.mjs";

/** The texts of a file by its extension, each with its offset. @type {Record<string, RegExp>} */
const texts = {
  md: /^#+ (.+)$|^(?!#)(.+)$/gm,
  sql: /(?:^[ \t]*--.*\n?)+/gm,
  css: /\/\*[\s\S]*?\*\//g,
  sh: /(?:^[ \t]*#(?!!).*\n?)+/gm,
  html: />([^<>{}]+)</g,
};
/** Texts that are not ours to change. */
const exceptions = [/^CHANGELOG\.md$/, /^docs\/glossary\.md$/];

let count = 0;
const files = execFileSync(
  "git",
  ["ls-files", "*.md", "*.sql", "*.css", "*.sh", "*.html", ".ci/run"],
  { encoding: "utf8" },
);
for (const file of files.trim().split("\n")) {
  if (!existsSync(file) || exceptions.some((one) => one.test(file))) continue;
  const extension = file === ".ci/run" ? "sh" : file.slice(file.lastIndexOf(".") + 1);
  const source = readFileSync(file, "utf8");
  const pattern = texts[extension];
  if (!pattern) continue;
  const prose =
    extension === "md"
      ? source.replace(/^```[\s\S]*?^```/gm, (code) => code.replace(/[^\n]/g, ""))
      : source;
  for (const match of prose.matchAll(pattern)) {
    const text = (match[1] ?? match[2] ?? match[0]).replace(
      /^[ \t]*(?:--|#|\/?\*+\/?|[-*>|]|\d+\.)[ \t]*/gm,
      "",
    );
    const line = source.slice(0, match.index).split("\n").length;
    for (const message of findBreachesOfText(text.replaceAll(/`[^`]*`/g, "`"))) {
      count += 1;
      console.error(`${file}:${line}: ${message}`);
    }
  }
}
if (count > 0) {
  console.error(`\n${count} breaches. docs/glossary.md has the words to use.`);
  process.exitCode = 1;
}

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { widgetLanguages } from "../../../packages/server/modules/publish/content/words/languages.ts";
import { wordsOf } from "../../../packages/server/modules/publish/content/words/words.ts";

const readText = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const docs = readText("docs/reference/widget.md");
const sources = [
  "avow.ts",
  "core/cookie-names.ts",
  "core/selector.ts",
  "core/site.ts",
  "page/api.ts",
  "page/events.ts",
  "page/options.ts",
]
  .map((name) => readText(`packages/widget/${name}`))
  .join("\n");

/** The members of an interface in the widget's source. */
function listMembers(name: string): string[] {
  const [, block = ""] =
    new RegExp(`^export interface ${name}\\b.*{\\n([\\s\\S]*?)^}`, "m").exec(sources) ?? [];
  const members = [...block.matchAll(/^ {2}(?:readonly )?(\w+)\??[(:<]/gm)];
  return members.map(([, member = ""]) => member);
}

function assertDocumented(names: readonly string[], toPattern: (name: string) => RegExp): void {
  assert.ok(names.length > 2, "the source has these names");
  assert.deepEqual(
    names.filter((name) => !toPattern(name).test(docs)),
    [],
    "docs/reference/widget.md does not describe these",
  );
}

const headings: Readonly<Record<string, string>> = {
  banner: "Texts of the banner",
  person: "Texts of the visitor's own page",
  search: "Texts of long lists",
  storage: "Texts of stored cookies",
  regions: "Texts of regions",
  imported: "Texts of adopted answers",
  tcf: "Texts of IAB TCF",
  boxes: "Texts of consent and contract forms",
  embeds: "Texts of placeholders",
};

describe("docs/reference/widget.md", () => {
  for (const [kind, words] of Object.entries(wordsOf("en")))
    it(`documents every text of ${kind}, by its key and in English`, () => {
      const [, table = ""] = new RegExp(`^### ${headings[kind]}\\n([^#]*)`, "m").exec(docs) ?? [];
      const rows = [...table.matchAll(/^\| `(\w+)` +\| (.*?) +\|$/gm)];
      assert.deepEqual(Object.fromEntries(rows.map(([, key, text]) => [key, text])), words);
    });

  it("lists every language of the widget's texts", () => {
    const [, texts = ""] = /^## Texts\n([^#]*)/m.exec(docs) ?? [];
    assert.ok(texts.includes(` in ${widgetLanguages.length} languages`));
    const listed = [...texts.matchAll(/\(`([\w-]+)`\)/g)].map(([, tag]) => tag);
    assert.deepEqual(listed, [...widgetLanguages]);
  });

  it("documents every option, with its attribute", () => {
    const options = ["Options", "Names", "Wanted"].flatMap(listMembers);
    assertDocumented(options, (name) => new RegExp(`\\| \`${name}\` `));
    const toAttribute = (name: string): string =>
      name === "projectId" ? "project" : name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);
    const named = options.filter((name) => name !== "nonce");
    assertDocumented(named, (name) => new RegExp(`\`data-${toAttribute(name)}\``));
  });

  it("documents every event and every member of the API", () => {
    assertDocumented(listMembers("Events"), (name) => new RegExp(`^\\| \`${name}\` `, "m"));
    assertDocumented(listMembers("Avow"), (name) => new RegExp(`^\\| .*\`${name}[\`(]`, "m"));
  });
});

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { readDocument } from "../reference/operations/[tag].paths.ts";

const docs = join(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(join(docs, "../package.json"), "utf8")) as {
  version: string;
};

/** The pages of a folder, by their titles. */
function listPages(folder: string): { text: string; link: string }[] {
  return readdirSync(join(docs, folder))
    .filter((file) => file.endsWith(".md"))
    .map((file) => file.replace(/\.md$/, ""))
    .toSorted()
    .map((name) => {
      const [, title = name] =
        /^# (.+)$/m.exec(readFileSync(join(docs, folder, `${name}.md`), "utf8")) ?? [];
      return {
        text: title.replace(/^How to (.)/, (_, letter: string) => letter.toUpperCase()),
        link: `/${folder}/${name}`,
      };
    });
}

const section = (text: string, folder: string, collapsed = false) => ({
  text,
  collapsed,
  items: listPages(folder),
});

/** The pages that `reference/operations/[tag].paths.ts` writes. */
const operations = {
  text: "HTTP operations",
  collapsed: true,
  items: readDocument().tags.map(({ name, description }) => ({
    text: `${name}: ${description.split(/[:.]/)[0]}`,
    link: `/reference/operations/${name}`,
  })),
};

export default defineConfig({
  title: "Avow",
  description:
    "Consent you can prove: the documentation of the self-hosted consent management service.",
  lang: "en",
  // Each release is built into a folder of its own: DOCS_BASE=/v0.1/ npm run docs
  base: process.env["DOCS_BASE"] ?? "/",
  outDir: join(docs, "../dist-docs"),
  cacheDir: join(docs, "../node_modules/.cache/vitepress"),
  cleanUrls: true,
  markdown: {
    // Braces after code are JSON in these pages, not attributes.
    attrs: { disable: true },
    languageAlias: { vcl: "c" },
    // Pages of the repository's root are included here, so that their links begin with `docs/`. Links to
    // other files of the repository lead nowhere on the site: only their text stays.
    config(markdown) {
      markdown.core.ruler.push("repository-links", ({ tokens, env }) => {
        const depth = ((env as { relativePath?: string }).relativePath ?? "").split("/").length - 1;
        const outside = "../".repeat(depth + 1);
        for (const { children } of tokens)
          for (const [at, token] of (children ?? []).entries()) {
            if (token.type !== "link_open") continue;
            const href = token.attrGet("href") ?? "";
            if (href.startsWith("docs/")) token.attrSet("href", href.slice("docs".length));
            if (!href.startsWith(outside) && !/^[A-Z]+\.md/.test(href)) continue;
            const close =
              children?.findIndex((one, n) => n > at && one.type === "link_close") ?? -1;
            token.tag = "span";
            token.attrs = [];
            const end = children?.[close];
            if (end) end.tag = "span";
          }
      });
    },
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Tutorials", link: "/tutorials/first-banner" },
      { text: "Guides", link: "/guides/install" },
      { text: "Reference", link: "/reference/api" },
      { text: "Explanation", link: "/explanation/architecture" },
      { text: `v${version}`, link: "/changelog" },
    ],
    sidebar: [
      section("Tutorials", "tutorials"),
      section("Guides", "guides"),
      section("Reference", "reference"),
      operations,
      section("Explanation", "explanation"),
      section("Decisions", "decisions", true),
    ],
  },
});

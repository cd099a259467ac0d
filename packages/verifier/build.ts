import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const folder = new URL("page/", import.meta.url);

/** The files of the verifier that browsers load. */
export async function buildVerifier(): Promise<ReadonlyMap<string, string>> {
  return new Map([["page.html", await buildPage()]]);
}

/** The page as one file, with a policy that allows only its own script and style. */
async function buildPage(): Promise<string> {
  const [template, styles] = await Promise.all(
    ["page.html", "page.css"].map((name) => readFile(new URL(name, folder), "utf8")),
  );
  const { code: style } = await transform(styles ?? "", { loader: "css", minify: true });
  const script = await bundleScript();
  const policy = [
    "default-src 'none'",
    `script-src '${toSource(script)}'`,
    `style-src '${toSource(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  // Functions, because `$` has a meaning in a replacement string.
  return (template ?? "")
    .replace('content=""', () => `content="${policy}"`)
    .replace("<style></style>", () => `<style>${style}</style>`)
    .replace("<script></script>", () => `<script>${script}</script>`);
}

async function bundleScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("page.ts", folder))],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
  });
  return (outputFiles[0]?.text ?? "").replaceAll("</script", String.raw`<\/script`);
}

/** The source expression of an inline element's text in a Content-Security-Policy. */
function toSource(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

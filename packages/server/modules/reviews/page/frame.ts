import { type Markup, markup, toStyleSource } from "../../../platform/text/markup.ts";
import type { Language } from "../../evidence/log/schema.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

/**
 * The headers of these pages: they load nothing of other origins, cannot be framed, and are not cached or indexed; forms
 * post to this service only, and frames show the preview page only.
 */
export const pageHeaders = {
  "cache-control": "no-store",
  "x-robots-tag": "noindex, nofollow, noarchive",
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": `default-src 'none'; style-src ${toStyleSource(style)}; script-src ${toStyleSource(script)}; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
} as const;

interface PageContent {
  language: Language;
  title: string;
  body: Markup;
  /** The address of the preview page, and the draft that it shows. */
  preview?: { href: string; draft: object };
}

export function toPage({ language, title, body, preview }: PageContent, name = ""): string {
  return markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow, noarchive">
<title>${title}</title>
<style>${{ html: style }}</style>
</head>
<body${preview ? markup` data-preview="${preview.href}"` : undefined}>
<main class="${name}">
${body}
</main>
${preview ? markup`<script type="application/json" id="draft">${{ html: toScriptJson(preview.draft) }}</script><script>${{ html: script }}</script>` : undefined}
</body>
</html>
`.html;
}

/** JSON inside of a script element: it contains no character that could end the element. */
function toScriptJson(value: object): string {
  return JSON.stringify(value).replaceAll("<", String.raw`\u003c`);
}

/** A page with only a message. */
export function toNote(
  language: Language,
  { title, lead }: { title: string; lead: string },
  more?: Markup,
): string {
  const body = markup`<section><h1>${title}</h1>
<p>${lead}</p>${more}</section>`;
  return toPage({ language, title, body }, "note");
}

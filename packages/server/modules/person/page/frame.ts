import { type Markup, markup, toStyleSource } from "../../../platform/text/markup.ts";
import type { Language } from "../../evidence/log/schema.ts";
import { style } from "./style.ts";

/**
 * The headers of these pages: they load nothing, cannot be framed, and are not cached or indexed; forms post to this
 * service only.
 */
export const pageHeaders = {
  "cache-control": "no-store",
  "x-robots-tag": "noindex, nofollow, noarchive",
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": `default-src 'none'; style-src ${toStyleSource(style)}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
} as const;

interface PageContent {
  language: Language;
  title: string;
  body: Markup;
}

export function toPage({ language, title, body }: PageContent, name = ""): string {
  return markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow, noarchive">
<title>${title}</title>
<style>${{ html: style }}</style>
</head>
<body>
<main class="${name}">
${body}
</main>
</body>
</html>
`.html;
}

/** A page with only a message. */
export function toNote(
  language: Language,
  { title, lead }: { title: string; lead: string },
): string {
  const body = markup`<section><h1>${title}</h1>
<p>${lead}</p></section>`;
  return toPage({ language, title, body }, "note");
}

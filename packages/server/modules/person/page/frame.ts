import { createHash } from "node:crypto";
import { type Markup, markup } from "../../../platform/text/markup.ts";
import type { Language } from "../../evidence/log/schema.ts";
import { style } from "./style.ts";

const styleHash = createHash("sha256").update(style).digest("base64");

/**
 * The headers of these pages: they load nothing, cannot be framed, and are not cached or indexed; forms post to this
 * service only. The address gives full access, so it is never sent in `Referer`.
 */
export const pageHeaders = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow, noarchive",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
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

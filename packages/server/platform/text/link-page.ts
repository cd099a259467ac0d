import { type Markup, markup } from "./markup.ts";

/**
 * The headers of pages behind secret links: they load only the `sources` of a Content Security Policy, cannot be framed,
 * and are not cached or indexed; forms post to this service only.
 */
export function toLinkPageHeaders(sources: string) {
  return {
    "cache-control": "no-store",
    "x-robots-tag": "noindex, nofollow, noarchive",
    "cross-origin-opener-policy": "same-origin",
    "content-security-policy": `default-src 'none'; ${sources}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  } as const;
}

interface LinkPage {
  language: string;
  title: string;
  style: string;
  /** The class of the main part. */
  name: string;
  main: Markup | readonly (Markup | undefined)[];
  /** An attribute of the body, with a space before it. */
  attribute?: Markup | undefined;
  /** Content after the main part. */
  end?: Markup | undefined;
}

/** A page behind a secret link. */
export function toLinkPage({ language, title, style, name, main, ...more }: LinkPage): string {
  return markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow, noarchive">
<title>${title}</title>
<style>${{ html: style }}</style>
</head>
<body${more.attribute}>
<main class="${name}">
${main}
</main>
${more.end}</body>
</html>
`.html;
}

import { type Markup, markup, toStyleSource } from "./markup.ts";
import type { MailLanguage } from "../mail/languages.ts";

const style = `
:root { color-scheme: light dark; --ground: light-dark(#f6f7f9, #14171c); --card: light-dark(#fff, #1c2027);
  --ink: light-dark(#1b2430, #e8ebf0); --soft: light-dark(#566273, #a0abba); --line: light-dark(#8a95a5, #6b7686);
  --accent: light-dark(#2452c8, #8fb0ff); --on-accent: light-dark(#fff, #10141b); --no: light-dark(#9a2a32, #ff9a9a);
  font: 1rem/1.55 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.25rem; background: var(--ground); color: var(--ink) }
main { width: min(28rem, 100%); padding: 2rem; border-radius: 1rem; background: var(--card); overflow-wrap: anywhere }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; text-wrap: balance }
p { margin: 0 0 1rem }
label { display: block; margin: 0 0 1rem; font-weight: 600 }
input { display: block; width: 100%; margin-top: .35rem; padding: .65rem .75rem; border: 1px solid var(--line); border-radius: .6rem; background: transparent; color: inherit; font: inherit }
.hint { margin-top: -.5rem; color: var(--soft); font-size: .9rem }
button { width: 100%; margin-top: .6rem; padding: .75rem 1rem; border: 1px solid var(--accent); border-radius: .6rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer }
button.second { background: transparent; color: var(--accent) }
:is(input, button):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.fault { color: var(--no); font-weight: 600 }
`;

/** Headers of these pages: nothing is loaded, framed or stored, and forms post to this service only. */
export const pageHeaders = {
  "cache-control": "no-store",
  "content-security-policy": `default-src 'none'; style-src ${toStyleSource(style)}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
} as const;

/** A page behind a link in a mail; it works without scripts. */
export function toAccountPage({
  language,
  title,
  body,
}: {
  language: MailLanguage;
  title: string;
  body: Markup | readonly Markup[];
}): string {
  return markup`<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ html: style }}</style>
<main>
<h1>${title}</h1>
${body}
</main>
</html>
`.html;
}

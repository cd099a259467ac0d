import { withHost } from "@avow/contract/urls";
import type { Mail } from "../../../platform/mail/mail.ts";
import { type Markup, markup } from "../../../platform/text/markup.ts";
import { toPlainName } from "../../../platform/text/plain-name.ts";
import { en } from "./en.ts";
import { fr } from "./fr.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import type { Letter, LetterBrand, MailTable, MailWords, MailText } from "./letters.ts";

const words: Record<MailLanguage, MailWords> = { en, fr };

/** The subject, the text and the HTML of a letter; the HTML loads nothing. */
export function toMailContent(
  letter: Letter,
  {
    language,
    publicUrl,
    brand,
  }: { language: MailLanguage; publicUrl: string; brand?: LetterBrand | undefined },
): Pick<Mail, "subject" | "text" | "html" | "language" | "senderName" | "replyTo"> {
  const { toWords, orCopy, colon, footer, brandFooter } = words[language];
  const worded = toWords(sanitizeNames(letter));
  const own = brand && { ...brand, name: toPlainName(brand.name) };
  const foot = own ? brandFooter(own, withHost(publicUrl, own.host)) : footer(publicUrl);
  const text = toText(worded, { colon, foot });
  return {
    language,
    subject: worded.subject,
    text: own ? `${own.name}\n\n${text}` : text,
    html: toHtml(worded, { language, orCopy, foot, brand: own }),
    ...(own && { senderName: toPlainName(own.senderName ?? own.name) }),
    ...(own?.replyTo !== undefined && { replyTo: own.replyTo }),
  };
}

/**
 * Sanitizes names chosen by other users, since the mail is sent in the name of the service: a name is short, on one line,
 * and without anything that mail programs turn into a link.
 */
function sanitizeNames(letter: Letter): Letter {
  if (letter.kind === "webhook-disabled") return { ...letter, host: toPlainName(letter.host) };
  if (letter.kind === "snippet")
    return {
      ...letter,
      sender: toPlainName(letter.sender),
      title: toPlainName(letter.title),
      host: toPlainName(letter.host),
    };
  if (letter.kind === "scan-changed")
    return {
      ...letter,
      host: toPlainName(letter.host),
      title: toPlainName(letter.title),
      // The scanned site chose the names of its cookies.
      news: letter.news.map(toPlainName),
    };
  // Its sentences are made of plain names.
  if (letter.kind === "notifications") return letter;
  if (letter.kind === "weekly")
    return {
      ...letter,
      projects: letter.projects.map((one) => ({ ...one, title: toPlainName(one.title) })),
    };
  if (letter.kind === "erasure-requested") return { ...letter, title: toPlainName(letter.title) };
  if (letter.kind === "project-offered")
    return { ...letter, offerer: toPlainName(letter.offerer), title: toPlainName(letter.title) };
  if (letter.kind === "added")
    return { ...letter, adder: toPlainName(letter.adder), title: toPlainName(letter.title) };
  if (letter.kind !== "invitation") return letter;
  return { ...letter, inviter: toPlainName(letter.inviter), title: toPlainName(letter.title) };
}

function toText(
  { lines, tables = [], button, notes, link }: MailText,
  { colon, foot }: { colon: string; foot: string },
): string {
  const action = button ? [`${button.label}${colon}\n${button.url}`] : [];
  const links = link ? [`${link.label}${colon}\n${link.url}`] : [];
  const parts = [...lines, ...tables.map(toTextTable), ...action, ...notes, ...links];
  return `${parts.join("\n\n")}\n\n-- \n${foot}\n`;
}

/** A table with columns of equal width. */
function toTextTable({ title, url, lines, head, rows }: MailTable): string {
  const all = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...all.map((row) => (row[at] ?? "").length)));
  const toLine = (row: readonly string[]): string =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ");
  return [title, url, ...lines, ...all.map(toLine)].join("\n");
}

const toHtmlRow = (cells: readonly string[], tag: "th" | "td"): Markup =>
  markup`<tr>${cells.map((cell) => (tag === "th" ? markup`<th>${cell}</th>` : markup`<td>${cell}</td>`))}</tr>\n`;

function toHtmlTable({ title, url, lines, head, rows }: MailTable): Markup {
  return markup`<h2><a href="${url}">${title}</a></h2>
${lines.map((line) => markup`<p>${line}</p>\n`)}<table>
${toHtmlRow(head, "th")}${rows.map((row) => toHtmlRow(row, "td"))}</table>
`;
}

const style = `
  :root { color-scheme: light dark; supported-color-schemes: light dark }
  body { margin: 0; padding: 24px 12px; background: #f6f7f9; color: #1b2430; font: 16px/1.55 system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif }
  .card { max-width: 520px; margin: 0 auto; padding: 28px 32px; border: 1px solid #d9dee6; border-radius: 16px; background: #ffffff }
  h1 { margin: 0 0 16px; font-size: 22px; line-height: 1.25; font-weight: 650 }
  h2 { margin: 24px 0 8px; font-size: 17px }
  p { margin: 0 0 14px; overflow-wrap: anywhere }
  table { width: 100%; margin: 0 0 14px; border-collapse: collapse; font-size: 14px }
  th, td { padding: 3px 0; text-align: right; font-weight: 400 }
  th:first-child, td:first-child { text-align: left }
  th { color: #566273 }
  .button { display: inline-block; margin: 6px 0 10px; padding: 12px 20px; border-radius: 10px; background: #2452c8; color: #ffffff; font-weight: 600; text-decoration: none }
  .soft { color: #566273; font-size: 14px }
  .address { font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace; word-break: break-all }
  a { color: #2452c8 }
  .foot { max-width: 520px; margin: 14px auto 0; padding: 0 32px }
  @media (prefers-color-scheme: dark) {
    body { background: #14171c; color: #e8ebf0 }
    .card { background: #1c2027; border-color: #343b46 }
    .soft, th { color: #a0abba }
    .button { background: #8fb0ff; color: #10141b }
    a { color: #8fb0ff }
  }`;

/** The accent of a brand in light mode; in dark mode, its contrast is unknown. The schema admits only `#rrggbb`. */
function toBrandStyle(brand: LetterBrand | undefined): string {
  if (!brand) return "";
  const { color } = brand;
  const isColor = color !== undefined && /^#[0-9a-f]{6}$/i.test(color);
  const accent = isColor
    ? `
  @media not (prefers-color-scheme: dark) { .button { background: ${color} } a, .brand { color: ${color} } .button { color: #ffffff } }`
    : "";
  return `
  .brand { font-weight: 650 }${accent}`;
}

function toHtml(
  { subject, lines, tables = [], button, notes, link }: MailText,
  {
    language,
    orCopy,
    foot,
    brand,
  }: {
    language: MailLanguage;
    orCopy: string;
    foot: string;
    brand: LetterBrand | undefined;
  },
): string {
  const action = button && [
    markup`<p><a class="button" href="${button.url}">${button.label}</a></p>\n`,
  ];
  const copy = button && [
    markup`<p class="soft">${orCopy}<br><a class="address" href="${button.url}">${button.url}</a></p>\n`,
  ];
  return markup`<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
<style>${{ html: style + toBrandStyle(brand) }}</style>
<body>
<div class="card">
${
  brand &&
  markup`<p class="brand">${brand.name}</p>
`
}<h1>${subject}</h1>
${lines.map((line) => markup`<p>${line}</p>\n`)}${tables.map(toHtmlTable)}${action}${notes.map((note) => markup`<p class="soft">${note}</p>\n`)}${link && [markup`<p class="soft"><a href="${link.url}">${link.label}</a></p>\n`]}${copy}</div>
<p class="foot soft">${foot}</p>
</body>
</html>
`.html;
}

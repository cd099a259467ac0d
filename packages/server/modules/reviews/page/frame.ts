import { toLinkPage, toLinkPageHeaders } from "../../../platform/text/link-page.ts";
import { type Markup, markup, toStyleSource } from "../../../platform/text/markup.ts";
import type { Language } from "../../evidence/log/schema.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

/** The headers of these pages, which load nothing of other origins and frame the preview page only. */
export const pageHeaders = toLinkPageHeaders(
  `style-src ${toStyleSource(style)}; script-src ${toStyleSource(script)}; frame-src 'self'`,
);

interface PageContent {
  language: Language;
  title: string;
  body: Markup;
  /** The address of the preview page, and the draft that it shows. */
  preview?: { href: string; draft: object };
}

export function toPage({ language, title, body, preview }: PageContent, name = ""): string {
  const page = { language, title, style, name, main: body };
  if (!preview) return toLinkPage(page);
  return toLinkPage({
    ...page,
    attribute: markup` data-preview="${preview.href}"`,
    end: markup`<script type="application/json" id="draft">${{ html: toScriptJson(preview.draft) }}</script><script>${{ html: script }}</script>
`,
  });
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

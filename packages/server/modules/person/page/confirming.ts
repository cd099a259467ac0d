import { type Markup, markup } from "../../../platform/text/markup.ts";
import type { Language } from "../../evidence/log/schema.ts";
import { type PageBrand, toPage } from "./frame.ts";
import { personWords } from "../words/words.ts";

/** The page to confirm the deactivation of the page's link, or of all links; its form posts to the link itself. */
export function toEndPage(language: Language, isAll: boolean, brand?: PageBrand): string {
  const { ending, endingAll } = personWords[language];
  const link = isAll ? markup`<input type="hidden" name="link" value="all">` : undefined;
  return toConfirmation(language, isAll ? endingAll : ending, { value: "end", more: link, brand });
}

/** The page to confirm a request for erasure. */
export function toErasePage(language: Language, brand?: PageBrand): string {
  const { erasing } = personWords[language];
  return toConfirmation(language, erasing, { value: "request-erasure", brand });
}

function toConfirmation(
  language: Language,
  words: { title: string; lead: string; yes: string; no: string },
  {
    value,
    more,
    brand,
  }: { value: string; more?: Markup | undefined; brand: PageBrand | undefined },
): string {
  const body = markup`<section><h1>${words.title}</h1>
<p>${words.lead}</p>
<form class="row" method="post">${more}<button name="do" value="${value}">${words.yes}</button>
<a class="button" href="?">${words.no}</a></form></section>`;
  return toPage({ language, title: words.title, body, brand }, "note");
}

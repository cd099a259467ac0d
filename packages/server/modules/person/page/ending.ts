import { markup } from "../../../platform/text/markup.ts";
import type { Language } from "../../evidence/log/schema.ts";
import { toPage } from "./frame.ts";
import { personWords } from "../words/words.ts";

/** The page to confirm the deactivation of a link; its form posts to the link itself. */
export function toEndPage(language: Language): string {
  const { ending } = personWords[language];
  const body = markup`<section><h1>${ending.title}</h1>
<p>${ending.lead}</p>
<form class="all" method="post"><button class="main" name="do" value="end">${ending.yes}</button>
<a class="button" href="?">${ending.no}</a></form></section>`;
  return toPage({ language, title: ending.title, body }, "note");
}

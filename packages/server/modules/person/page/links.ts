import { type Markup, markup } from "../../../platform/text/markup.ts";
import { type Link, isVisitorLink } from "../../consents/links/links.ts";
import type { Person } from "../answers/person.ts";
import { type PageContext, toDate, toDay } from "./context.ts";

/** Maximum links of an open list; longer ones are collapsed below a summary. */
const LINKS_OPEN_MAX = 4;

/** The addresses that open this page, each with a button that deactivates it. */
export function toLinks({ links }: Pick<Person, "links">, of: PageContext): Markup {
  const { words, link: own } = of;
  const { addresses } = words;
  // The page's own link may have ended since it was read.
  const listed = [own, ...links.filter(({ id }) => id !== own.id)];
  const list = markup`<ul class="items">
${listed.map((link) => toLink(link, of))}
</ul>`;
  return markup`<section id="addresses" aria-labelledby="h-link">
<h2 id="h-link">${addresses.title}</h2>
<p>${addresses.lead}</p>
${listed.length > LINKS_OPEN_MAX ? markup`<details><summary>${addresses.many(listed.length)}</summary>${list}</details>` : list}
${listed.length > 1 ? markup`<p><a class="button" href="?end=all">${addresses.endAll}</a></p>` : undefined}
</section>`;
}

function toLink(link: Link, { words, link: own }: PageContext): Markup {
  const { addresses } = words;
  const isOwn = link.id === own.id;
  const created = toDate(link.createdAt, words);
  const name = isOwn ? addresses.own : isVisitorLink(link) ? addresses.byVisitor : addresses.bySite;
  const end = isOwn
    ? markup`<a class="button" href="?end=ask">${addresses.endOwn}</a>`
    : markup`<form method="post"><input type="hidden" name="link" value="${link.id}"><button name="do" value="end" aria-label="${words.of(addresses.end, created)}">${addresses.end}</button></form>`;
  return markup`<li><div><p class="name">${name}</p><p class="soft small">${addresses.validity(created, toDay(link.expiresAt, words))}</p></div>${end}</li>
`;
}

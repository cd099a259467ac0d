import { hrefOf, paths } from "@avow/contract/urls";
import { type Markup, markup } from "../../../platform/text/markup.ts";
import type { Person } from "../answers/person.ts";
import { authoritiesUrl, findAuthority } from "./authorities.ts";
import { type PageContext, toDay } from "./context.ts";

/** The person's rights: a copy of the data, its erasure, and a complaint (GDPR, articles 13(2), 15, 17, 20 and 77). */
export function toRights({ request }: Pick<Person, "request">, of: PageContext): Markup {
  const { words, link, secret } = of;
  const { rights } = words;
  const data = hrefOf("", paths.personData, { projectId: link.projectId, link: secret });
  return markup`<section id="rights" aria-labelledby="h-rights">
<h2 id="h-rights">${rights.title}</h2>
<div class="right"><div><h3>${rights.copy}</h3>
<p>${rights.copyLead}</p></div>
<a class="button" href="${data}">${rights.copyGet}</a></div>
${toErasure(request, of)}
${toComplaint(of)}
</section>
`;
}

function toErasure(request: Person["request"], { words }: PageContext): Markup {
  const { rights } = words;
  const isOpen = request !== undefined && request.declinedAt === undefined;
  const state = isOpen
    ? rights.erasureOpen(toDay(request.requestedAt, words), toDay(request.dueAt, words))
    : request?.declinedAt
      ? rights.erasureDeclined(toDay(request.declinedAt, words))
      : undefined;
  return markup`<div class="right" id="erasure" tabindex="-1"><div><h3>${rights.erasure}</h3>
${state === undefined ? undefined : markup`<p class="notice">${state}</p>`}
${isOpen ? undefined : markup`<p>${rights.erasureLead}</p>`}</div>
${isOpen ? undefined : markup`<a class="button" href="?erase=ask">${rights.erasureAsk}</a>`}</div>`;
}

function toComplaint({ words, region }: PageContext): Markup {
  const { rights } = words;
  const authority = findAuthority(region);
  const all = markup`<a href="${authoritiesUrl}" rel="noreferrer">${rights.authorities}</a>`;
  return markup`<div class="right"><div><h3>${rights.complaint}</h3>
<p>${region === "US-CA" ? rights.complaintCalifornia : rights.complaintLead}</p>
<p>${authority ? markup`<a href="${authority.url}" rel="noreferrer">${authority.name}</a>${region === "US-CA" ? undefined : markup` · ${all}`}` : all}</p></div></div>`;
}

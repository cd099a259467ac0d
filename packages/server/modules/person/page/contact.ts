import { type Markup, markup } from "../../../platform/text/markup.ts";
import type { Language } from "../../evidence/log/schema.ts";
import type { Person } from "../answers/person.ts";
import { personWords } from "../words/words.ts";

/** The contact data of the controller, or the site itself if none are published. */
export function toContact(
  { party, site }: Pick<Person, "party" | "site">,
  language: Language,
): Markup | undefined {
  const words = personWords[language];
  const { name, officer, email, address } = party;
  const rows: [string, string | Markup | undefined][] = [
    [words.responsible, name],
    [words.officer, officer],
    [words.email, email && toMailto(email)],
    [words.address, address],
    [words.site, site && toSite(site)],
  ];
  const known = rows.filter(([, value]) => value !== undefined && value !== "");
  const isNamed = [name, officer, email, address].some((value) => value !== undefined);
  if (known.length === 0) return undefined;
  return markup`<section aria-labelledby="h-contact">
<h2 id="h-contact">${words.contact}</h2>
${isNamed ? undefined : markup`<p>${words.noContact}</p>`}
<dl class="facts">${known.map(([label, value]) => markup`<dt>${label}</dt><dd>${value}</dd>`)}</dl>
</section>
`;
}

function toMailto(email: string): string | Markup {
  const isAddress = /^[^\s@<>?&]+@[^\s@<>?&]+$/.test(email);
  return isAddress ? markup`<a href="mailto:${email}">${email}</a>` : email;
}

function toSite(site: string): Markup {
  return markup`<a href="${site}" rel="noreferrer">${site.replace(/^https?:\/\//, "").replace(/\/$/, "")}</a>`;
}

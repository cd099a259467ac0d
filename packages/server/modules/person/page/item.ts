import { consentToolNames } from "@avow/contract/consent-tools";
import type { ImportedFrom } from "@avow/contract/consents";
import { type Markup, markup } from "../../../platform/text/markup.ts";
import type { PersonItem, PersonPart } from "../answers/person.ts";
import type { PersonWords } from "../words/en.ts";
import { type PageContext, toDay } from "./context.ts";

/** The title of a configuration, or else its kind. */
export function nameIn(
  { name, collection }: Pick<PersonPart, "name" | "collection">,
  words: PersonWords,
): string {
  return name === "" ? (words.kinds[collection] ?? "") : name;
}

/** An item with its answer, and what changes it. */
export function toItem(item: PersonItem, part: PersonPart, of: PageContext): Markup {
  const { words } = of;
  const { vendor, status, policyUrl } = item;
  const name = vendor === "" ? nameIn(part, words) : item.name;
  const policy =
    policyUrl &&
    markup`<a class="small" href="${policyUrl}" rel="noreferrer" aria-label="${words.of(words.policy, name)}">${words.policy}</a>`;
  const answer = { accepted: "accept", refused: "refuse", withdrawn: "refuse" }[status as string];
  return markup`<li>
<div>${vendor === "" ? undefined : markup`<p class="name">${name}</p>`}
<p><span class="status">${words.statuses[status]}</span> <span class="soft small">${toSince(item, words)}</span></p>${policy || undefined}</div>
${item.isAsked ? toChoice({ part, vendor, name, answer }, words) : markup`<p class="soft small">${words.over}</p>`}
</li>
`;
}

/** The start of an answer, its end, and the tool that it was given in. */
function toSince({ status, since, expiresAt, imported }: PersonItem, words: PersonWords): string {
  if (!since) return "";
  const day = toDay(since, words);
  const isPast = status === "expired" || status === "superseded";
  return [
    isPast ? words.answeredOn(day) : words.since(day),
    ...(status === "accepted" && expiresAt ? [words.until(toDay(expiresAt, words))] : []),
    ...(imported ? [toOrigin(imported, words)] : []),
  ].join(", ");
}

/** The other consent tool that was answered, and the day of the answer. */
export function toOrigin({ from, answeredAt }: ImportedFrom, words: PersonWords): string {
  const day = answeredAt === undefined ? undefined : toDay(new Date(answeredAt), words);
  return words.imported(consentToolNames[from], day);
}

/**
 * Refusing on the left and accepting on the right, of one size and color. The current answer is not a button, but keeps
 * its place; the text beside says it to screen readers.
 */
function toChoice(
  {
    part,
    vendor,
    name,
    answer,
  }: { part: PersonPart; vendor: string; name: string; answer: string | undefined },
  words: PersonWords,
): Markup {
  const slot = (value: "refuse" | "accept", chosen: string) =>
    value === answer
      ? markup`<span class="chosen" aria-hidden="true">${chosen}</span>`
      : markup`<button name="do" value="${value}" aria-label="${words.of(words[value], name)}">${words[value]}</button>`;
  return markup`<form class="choice" method="post">${toHidden(part.identifier, vendor)}${slot("refuse", words.statuses.refused)}${slot("accept", words.statuses.accepted)}</form>`;
}

/** The buttons for all items of a part, in the places of those of one item. */
export function toAll(part: PersonPart, words: PersonWords): Markup {
  const name = nameIn(part, words);
  const button = (value: string, text: string) =>
    markup`<button name="do" value="${value}" aria-label="${words.of(text, name)}">${text}</button>`;
  return markup`<div class="all"><p class="name">${words.allOfThem}</p><form class="choice" method="post">${toHidden(part.identifier, "")}${button("refuse", words.refuseAll)}${button("accept", words.acceptAll)}</form></div>`;
}

function toHidden(identifier: string, vendor: string): Markup {
  const one = markup`<input type="hidden" name="identifier" value="${identifier}">`;
  if (vendor === "") return one;
  return markup`${one}<input type="hidden" name="vendor" value="${vendor}">`;
}

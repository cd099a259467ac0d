import { hrefOf, paths } from "../../paths.ts";
import { type Markup, markup } from "../../platform/markup.ts";
import { toReadableText, toTextLabel } from "../evidence/forms/shown-words.ts";
import { wordsOf } from "../evidence/forms/words.ts";
import type { Language } from "../evidence/schema.ts";
import { toPage } from "./frame.ts";
import type { Person, PersonItem, PersonPart, PersonRecord, Words } from "./person.ts";
import type { PersonWords } from "./words/en.ts";
import { personWords } from "./words/words.ts";

/** What the page is made for. */
interface Shown {
  language: Language;
  projectId: string;
  /** What opens the page: it is in the addresses of receipts, and in no other. */
  secret: string;
  expiresAt: Date;
}

type Say = Shown & { say: PersonWords };

/** The page of a person, which works without scripts: every button is a form of its own. */
export function toPersonPage(person: Person, shown: Shown): string {
  const { language } = shown;
  const say = personWords[language];
  const of = { ...shown, say };
  const title = say.title(person.projectName);
  const body = markup`<header>
<h1>${title}</h1>
<p>${say.lead}</p>
<p class="soft small">${say.private}</p>
</header>
${person.parts.length === 0 ? markup`<section><p>${say.nothing}</p></section>` : undefined}
${person.parts.map((part) => toSection(part, of))}
${toHistory(person.records, of)}
${person.isCut ? markup`<p class="soft">${say.cut}</p>` : undefined}
${toEnding(of)}`;
  return toPage({ language, title, body });
}

function toSection(part: PersonPart, of: Say): Markup {
  const { say } = of;
  const { identifier, collection, name, items } = part;
  const isSeveral = collection === "cookies" && items.filter(({ isAsked }) => isAsked).length > 1;
  return markup`<section id="${identifier}" aria-labelledby="h-${identifier}">
<div class="head"><h2 id="h-${identifier}">${name}</h2><p class="soft small">${say.kinds[collection] ?? ""}</p></div>
<ul class="items">
${items.map((item) => toItem(item, part, of))}
</ul>
${isSeveral ? toAll(part, of) : undefined}
${part.shown ? toDetails(say.shown(part.shown.version), part.shown, of) : toUnknown(part, of)}
${part.now ? toDetails(say.now(part.now.version), part.now, of) : undefined}
</section>
`;
}

function toUnknown({ items }: PersonPart, { say }: Say): Markup | undefined {
  const isAnswered = items.some(({ since }) => since !== undefined);
  return isAnswered ? markup`<p class="soft small">${say.unknownWords}</p>` : undefined;
}

function toItem(item: PersonItem, part: PersonPart, of: Say): Markup {
  const { say } = of;
  const { status, since, expiresAt, isAsked } = item;
  const isAccepted = status === "accepted";
  const name = item.vendor === "" ? part.name : item.name;
  return markup`<li>
<div>${item.vendor === "" ? undefined : markup`<p class="name">${name}</p>`}
<p class="told"><span class="status ${status}">${say.statuses[status]}</span>
<span class="soft small">${since ? say.since(toDay(since, of)) : undefined}${isAccepted && expiresAt ? `, ${say.until(toDay(expiresAt, of))}` : undefined}</span></p></div>
${isAsked ? toForm(item, part, { ...of, name, isAccepted }) : markup`<p class="soft small">${say.over}</p>`}
</li>
`;
}

/** One tap: what was accepted can be withdrawn, what was not can be accepted or, where nothing was said, refused. */
function toForm(
  { vendor, status }: PersonItem,
  { identifier }: PersonPart,
  { say, name, isAccepted }: Say & { name: string; isAccepted: boolean },
): Markup {
  const isRefused = status === "refused" || status === "withdrawn";
  const button = (value: string, text: string) =>
    markup`<button name="do" value="${value}" aria-label="${say.of(text, name)}">${text}</button>`;
  return markup`<form method="post">${toHidden(identifier, vendor)}${
    isAccepted ? button("refuse", say.withdraw) : button("accept", say.accept)
  }${isAccepted || isRefused ? undefined : button("refuse", say.refuse)}</form>`;
}

function toAll({ identifier, name }: PersonPart, { say }: Say): Markup {
  const button = (value: string, text: string) =>
    markup`<button name="do" value="${value}" aria-label="${say.of(text, name)}">${text}</button>`;
  return markup`<form class="all" method="post">${toHidden(identifier, "")}${button("refuse", say.refuseAll)}${button("accept", say.acceptAll)}</form>`;
}

function toHidden(identifier: string, vendor: string): Markup {
  const one = markup`<input type="hidden" name="identifier" value="${identifier}">`;
  if (vendor === "") return one;
  return markup`${one}<input type="hidden" name="vendor" value="${vendor}">`;
}

/** The words of a version, in its own language, under what they were. */
function toDetails(title: string, { language, parts }: Words, of: Say): Markup {
  const labels = wordsOf[of.language];
  const told = parts.filter(({ texts }) => texts.length > 0);
  const lang = language ?? of.language;
  return markup`<details><summary>${title}</summary>
<div class="words">
${told.map(
  ({ texts }) => markup`<dl>
${texts.map(
  (text) =>
    markup`<dt>${toTextLabel(text, labels)}</dt><dd lang="${lang}">${toReadableText(text, labels)}</dd>
`,
)}</dl>
`,
)}</div></details>`;
}

function toHistory(records: readonly PersonRecord[], of: Say): Markup | undefined {
  const { say, projectId, secret: link } = of;
  if (records.length === 0) return undefined;
  const receipt = ({ consentId, name }: PersonRecord, format: "pdf" | "json") => {
    const href = hrefOf("", paths.personReceipt, { projectId, link, consentId, format });
    return markup`<a href="${href}" aria-label="${say.of(say[format], name)}">${say[format]}</a>`;
  };
  return markup`<section aria-labelledby="h-history">
<h2 id="h-history">${say.history}</h2>
<div class="scroll"><table>
<thead><tr><th scope="col">${say.date}</th><th scope="col">${say.what}</th><th scope="col">${say.answer}</th><th scope="col">${say.receipt}</th></tr></thead>
<tbody>
${records.map(
  (
    record,
  ) => markup`<tr><td><time datetime="${record.createdAt.toISOString()}">${toDate(record.createdAt, of)}</time></td><td>${record.name}</td><td>${toAnswer(record, say)}</td><td>${receipt(record, "pdf")} ${receipt(record, "json")}</td></tr>
`,
)}</tbody>
</table></div>
<p class="soft small">${say.checkLead} <a href="${paths.verifier}">${say.check}</a></p>
</section>
`;
}

/** Of a banner a record says only whether anything was accepted. */
function toAnswer({ accept, collection }: PersonRecord, say: PersonWords): string {
  if (!accept) return say.no;
  return collection === "cookies" ? say.some : say.statuses.accepted;
}

function toEnding(of: Say): Markup {
  const { say, expiresAt } = of;
  return markup`<section aria-labelledby="h-link">
<h2 id="h-link">${say.link}</h2>
<p>${say.ends(toDay(expiresAt, of))}</p>
<form class="all" method="post"><button name="do" value="end">${say.end}</button></form>
</section>`;
}

function toDay(date: Date, { say }: Say): string {
  return date.toLocaleDateString(say.locale, { dateStyle: "long", timeZone: "UTC" });
}

/** Times are UTC, as receipts have them: a page without scripts does not know where it is read. */
function toDate(date: Date, { say }: Say): string {
  const text = date.toLocaleString(say.locale, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return `${text} UTC`;
}

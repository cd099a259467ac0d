import { consentToolNames } from "@avow/contract/consent-tools";
import type { ImportedFrom } from "@avow/contract/consents";
import { hrefOf, paths } from "@avow/contract/urls";
import { type Markup, markup } from "../../../platform/text/markup.ts";
import { toReadableText, toTextLabel } from "../../evidence/reports/statement/shown-words.ts";
import { wordsOf } from "../../evidence/reports/statement/words.ts";
import type { Language } from "../../evidence/log/schema.ts";
import type { Change } from "../answers/change.ts";
import { toContact } from "./contact.ts";
import { toPage } from "./frame.ts";
import type {
  Person,
  PersonItem,
  PersonPart,
  PersonRecord,
  VersionTexts,
} from "../answers/person.ts";
import type { PersonWords } from "../words/en.ts";
import { summarizeAnswers, toNames } from "./answer-words.ts";
import { personWords } from "../words/words.ts";

/** Maximum items of an open list; longer ones are collapsed below a summary. */
const ITEMS_OPEN_MAX = 12;

interface PageOptions {
  language: Language;
  projectId: string;
  /** The secret of the link, which is only used in the addresses of receipts. */
  secret: string;
  expiresAt: Date;
}

type PageContext = PageOptions & { words: PersonWords };

/** The page of a person. It works without scripts: every button is a form of its own. */
export function toPersonPage(person: Person, options: PageOptions): string {
  const { language } = options;
  const words = personWords[language];
  const of = { ...options, words };
  const title = words.title(person.projectName);
  const { change, parts, others } = person;
  const toSections = (some: readonly PersonPart[]): Markup[] =>
    some.map((part) =>
      toSection(part, change?.identifier === part.identifier ? change : undefined, of),
    );
  const body = markup`<header>
<h1>${title}</h1>
<p>${words.lead}</p>
<p class="soft small">${words.private}</p>
</header>
${parts.length + others.length === 0 ? markup`<section><p>${words.nothing}</p></section>` : undefined}
${toSections(parts)}
${others.length > 0 ? markup`<details class="others"><summary><h2>${words.others(others.length)}</h2></summary><p class="soft">${words.othersLead}</p>${toSections(others)}</details>` : undefined}
${toHistory(person.records, of)}
${person.isCut ? markup`<p class="soft">${words.cut}</p>` : undefined}
${toContact(person, language)}
${toEnding(of)}`;
  // Screen readers announce the title first.
  return toPage({ language, title: change ? words.savedTitle(title) : title, body });
}

function toSection(part: PersonPart, change: Change | undefined, of: PageContext): Markup {
  const { words } = of;
  const { identifier, collection, items, shown, now } = part;
  const [name, kind] = [nameIn(part, words), words.kinds[collection] ?? ""];
  const isSeveral = collection === "cookies" && items.filter(({ isAsked }) => isAsked).length > 1;
  const all = isSeveral ? toAll(part, of) : undefined;
  const isLong = items.length > ITEMS_OPEN_MAX;
  const list = markup`<ul class="items">
${items.map((item) => toItem(item, part, of))}
</ul>`;
  return markup`<section id="${identifier}" aria-labelledby="h-${identifier}">
<div class="head"><h2 id="h-${identifier}"${toLang(part, of)}>${name}</h2>${name === kind ? undefined : markup`<p class="soft small">${kind}</p>`}</div>
${change ? toChange(change, part, of) : undefined}
${isLong ? markup`${toCounts(items, of)}${all}<details${isOpenFor(change, items)}><summary>${words.many(items.length)}</summary>${list}</details>` : markup`${list}${all}`}
${shown.length > 0 ? shown.map((texts) => toDetails(toShownTitle(texts, shown, of), texts, of)) : toUnknown(part, of)}
${now ? toDetails(words.now(now.version), now, of) : undefined}
</section>
`;
}

/** The title of a configuration, or else its kind. */
function nameIn({ name, collection }: Pick<PersonPart, "name" | "collection">, words: PersonWords) {
  return name === "" ? (words.kinds[collection] ?? "") : name;
}

/** The `lang` attribute of a title whose language differs from that of the page. */
function toLang({ language, name }: PersonPart, of: PageContext): Markup | undefined {
  const isOther = name !== "" && language !== undefined && language !== of.language;
  return isOther ? markup` lang="${language}"` : undefined;
}

/** Opens a collapsed list if one of its items was just changed. */
function isOpenFor(change: Change | undefined, items: readonly PersonItem[]): Markup | undefined {
  const isOne = change !== undefined && change.items.length < items.length;
  return isOne ? markup` open` : undefined;
}

/** The number of items by status. */
function toCounts(items: readonly PersonItem[], { words }: PageContext): Markup {
  const counts = [...Map.groupBy(items, ({ status }) => status)];
  return markup`<p class="answer">${counts.map(
    ([status, some]) =>
      markup`<span class="status ${status}">${words.of(words.statuses[status], String(some.length))}</span> `,
  )}</p>`;
}

/** The change that was just saved, with a button to undo a withdrawal. The redirect's fragment scrolls to it. */
function toChange(change: Change, part: PersonPart, { words }: PageContext): Markup {
  const { items, withdrawn, accept, consentId, at } = change;
  const changed = part.items.filter(({ vendor }) => items.includes(vendor));
  const [one] = changed;
  const isOne = changed.length === 1 && one !== undefined;
  const name = isOne && one.vendor !== "" ? one.name : nameIn(part, words);
  const what = isOne ? name : words.items(name, changed.length);
  const answer = isOne ? words.statuses[one.status] : accept ? words.statuses.accepted : words.no;
  const undo = withdrawn.length === 1 ? words.undo : words.undoMany(withdrawn.length);
  return markup`<div class="saved" id="saved" role="status" tabindex="-1"><p>${words.saved(toTime(at, words), what, answer)}</p>
${
  withdrawn.length > 0
    ? markup`<form method="post"><input type="hidden" name="consent" value="${consentId}"><button name="do" value="undo">${undo}</button></form>`
    : undefined
}</div>`;
}

/** The title of a version's texts. If there are several, names the items of each, and marks the live one. */
function toShownTitle(
  { version, of, isLive }: VersionTexts,
  all: readonly VersionTexts[],
  { words }: PageContext,
): string {
  const title = words.shown(version, of.length === 0 ? undefined : toNames(of, words));
  return isLive && all.length > 1 ? words.alsoNow(title) : title;
}

function toUnknown({ items }: PersonPart, { words }: PageContext): Markup | undefined {
  const answered = items.filter(({ since }) => since !== undefined);
  if (answered.length === 0) return undefined;
  const isImported = answered.some(({ imported }) => imported);
  return markup`<p class="soft small">${isImported ? words.importedWords : words.unknownWords}</p>`;
}

function toItem(item: PersonItem, part: PersonPart, of: PageContext): Markup {
  const { words } = of;
  const { status, since, expiresAt, imported, isAsked } = item;
  const isAccepted = status === "accepted";
  const name = item.vendor === "" ? nameIn(part, words) : item.name;
  return markup`<li>
<div>${item.vendor === "" ? undefined : markup`<p class="name">${name}</p>`}
<p class="answer"><span class="status ${status}">${words.statuses[status]}</span>
<span class="soft small">${since ? words.since(toDay(since, of)) : undefined}${isAccepted && expiresAt ? `, ${words.until(toDay(expiresAt, of))}` : undefined}${imported ? `, ${toOrigin(imported, of)}` : undefined}</span></p></div>
${isAsked ? toForm(item, part, { ...of, name, isAccepted }) : markup`<p class="soft small">${words.over}</p>`}
</li>
`;
}

/** The other consent tool that was answered, and the day of the answer. */
function toOrigin({ from, answeredAt }: ImportedFrom, of: PageContext): string {
  const day = answeredAt === undefined ? undefined : toDay(new Date(answeredAt), of);
  return of.words.imported(consentToolNames[from], day);
}

/** The buttons of an item: withdraw if it is accepted, else accept, and also refuse if it has no answer. */
function toForm(
  { vendor, status }: PersonItem,
  { identifier }: PersonPart,
  { words, name, isAccepted }: PageContext & { name: string; isAccepted: boolean },
): Markup {
  const isRefused = status === "refused" || status === "withdrawn";
  const button = (value: string, text: string) =>
    markup`<button name="do" value="${value}" aria-label="${words.of(text, name)}">${text}</button>`;
  return markup`<form method="post">${toHidden(identifier, vendor)}${
    isAccepted ? button("refuse", words.withdraw) : button("accept", words.accept)
  }${isAccepted || isRefused ? undefined : button("refuse", words.refuse)}</form>`;
}

function toAll(part: PersonPart, { words }: PageContext): Markup {
  const { identifier } = part;
  const name = nameIn(part, words);
  const button = (value: string, text: string) =>
    markup`<button name="do" value="${value}" aria-label="${words.of(text, name)}">${text}</button>`;
  return markup`<form class="all" method="post">${toHidden(identifier, "")}${button("refuse", words.refuseAll)}${button("accept", words.acceptAll)}</form>`;
}

function toHidden(identifier: string, vendor: string): Markup {
  const one = markup`<input type="hidden" name="identifier" value="${identifier}">`;
  if (vendor === "") return one;
  return markup`${one}<input type="hidden" name="vendor" value="${vendor}">`;
}

/** The texts of a version, in its language, with their labels in the language of the page. */
function toDetails(title: string, { language, parts }: VersionTexts, of: PageContext): Markup {
  const labels = wordsOf[of.language];
  const shown = parts.filter(({ texts }) => texts.length > 0);
  const lang = language ?? of.language;
  return markup`<details><summary>${title}</summary>
<div class="words">
${shown.map(
  ({ texts }) => markup`<dl>
${texts.map(
  (text) =>
    markup`<dt>${toTextLabel(text, labels)}</dt><dd lang="${lang}">${toReadableText(text, labels)}</dd>
`,
)}</dl>
`,
)}</div></details>`;
}

function toHistory(records: readonly PersonRecord[], of: PageContext): Markup | undefined {
  const { words, projectId, secret: link } = of;
  if (records.length === 0) return undefined;
  const receipt = (record: PersonRecord, format: "pdf" | "json") => {
    const { consentId } = record;
    const name = nameIn(record, words);
    const href = hrefOf("", paths.personReceipt, { projectId, link, consentId, format });
    return markup`<a href="${href}" aria-label="${words.of(words[format], name)}">${words[format]}</a>`;
  };
  const check = (record: PersonRecord) => {
    const href = hrefOf("", paths.personCheck, { projectId, link, consentId: record.consentId });
    return markup`<a href="${href}" aria-label="${words.of(words.checkOne, nameIn(record, words))}">${words.checkOne}</a>`;
  };
  return markup`<section aria-labelledby="h-history">
<h2 id="h-history">${words.history}</h2>
<div class="scroll"><table>
<thead><tr><th scope="col">${words.date}</th><th scope="col">${words.what}</th><th scope="col">${words.answer}</th><th scope="col">${words.receipt}</th></tr></thead>
<tbody>
${records.map(
  (
    record,
  ) => markup`<tr><td><time datetime="${record.createdAt.toISOString()}">${toDate(record.createdAt, of)}</time></td><td>${nameIn(record, words)}</td><td>${summarizeAnswers(record.answers, words)}${record.imported ? ` (${toOrigin(record.imported, of)})` : undefined}</td><td>${receipt(record, "pdf")} ${receipt(record, "json")} ${check(record)}</td></tr>
`,
)}</tbody>
</table></div>
<p class="soft small">${words.checkLead} <a href="${paths.verifier}">${words.check}</a></p>
</section>
`;
}

function toEnding(of: PageContext): Markup {
  const { words, expiresAt } = of;
  return markup`<section class="link" aria-labelledby="h-link">
<h2 id="h-link">${words.link}</h2>
<p>${words.ends(toDay(expiresAt, of))}</p>
<p><a class="button" href="?end=ask">${words.end}</a></p>
</section>`;
}

/** A time in UTC, like `toDate`. */
function toTime(date: Date, { locale }: PersonWords): string {
  return `${date.toLocaleTimeString(locale, { timeStyle: "short", timeZone: "UTC" })} UTC`;
}

function toDay(date: Date, { words }: PageContext): string {
  return date.toLocaleDateString(words.locale, { dateStyle: "long", timeZone: "UTC" });
}

/** Times are in UTC, as in receipts: without scripts, the page cannot know the reader's time zone. */
function toDate(date: Date, { words }: PageContext): string {
  const text = date.toLocaleString(words.locale, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return `${text} UTC`;
}

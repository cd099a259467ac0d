import { hrefOf, paths } from "@avow/contract/urls";
import { type Markup, markup } from "../../../platform/text/markup.ts";
import { toReadableText, toTextLabel } from "../../evidence/reports/statement/shown-words.ts";
import { wordsOf } from "../../evidence/reports/statement/words.ts";
import type { Change } from "../answers/change.ts";
import { toContact } from "./contact.ts";
import { type PageContext, type PageOptions, toDate, toTime } from "./context.ts";
import { nameIn, toAll, toItem, toOrigin } from "./item.ts";
import { toLinks } from "./links.ts";
import { toRights } from "./rights.ts";
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
${toJumps(person, words)}
</header>
${parts.length + others.length === 0 ? markup`<section><p>${words.nothing}</p></section>` : undefined}
${toSections(parts)}
${others.length > 0 ? markup`<details class="others"><summary><h2>${words.others(others.length)}</h2></summary><p class="soft">${words.othersLead}</p>${toSections(others)}</details>` : undefined}
${toHistory(person.records, of)}
${person.isCut ? markup`<p class="soft">${words.cut}</p>` : undefined}
${toRights(person, of)}
${toLinks(person, of)}
${toContact(person, language)}
<p class="soft small">${words.zone}</p>`;
  // Screen readers announce the title first.
  return toPage({
    language,
    title: change ? words.savedTitle(title) : title,
    body,
    brand: options.brand,
  });
}

/** Links to the parts of the page below the answers. */
function toJumps({ records }: Person, words: PersonWords): Markup {
  const jumps: [string, string][] = [
    ...(records.length > 0 ? [["history", words.history] as [string, string]] : []),
    ["rights", words.rights.title],
    ["addresses", words.addresses.title],
  ];
  return markup`<nav aria-label="${words.jumps}"><ul>${jumps.map(([id, text]) => markup`<li><a href="#${id}">${text}</a></li>`)}</ul></nav>`;
}

function toSection(part: PersonPart, change: Change | undefined, of: PageContext): Markup {
  const { words } = of;
  const { identifier, collection, items, shown, now } = part;
  const [name, kind] = [nameIn(part, words), words.kinds[collection] ?? ""];
  const isSeveral = collection === "cookies" && items.filter(({ isAsked }) => isAsked).length > 1;
  const all = isSeveral ? toAll(part, words) : undefined;
  const isLong = items.length > ITEMS_OPEN_MAX;
  const list = markup`<ul class="items">
${items.map((item) => toItem(item, part, of))}
</ul>`;
  return markup`<section id="${identifier}" aria-labelledby="h-${identifier}">
<div class="head"><h2 id="h-${identifier}"${toLang(part, of)}>${name}</h2>${name === kind ? undefined : markup`<p class="soft small">${kind}</p>`}</div>
${change ? toChange(change, part, of) : undefined}
${isLong ? markup`${all}${toCounts(items, of)}<details${isOpenFor(change, items)}><summary>${words.many(items.length)}</summary>${list}</details>` : markup`${all}${list}`}
${shown.length > 0 ? shown.map((texts) => toDetails(toShownTitle(texts, shown, of), texts, of)) : toUnknown(part, of)}
${now ? toDetails(words.now(now.version), now, of) : undefined}
</section>
`;
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
  return markup`<p class="soft">${counts
    .map(([status, some]) => words.of(words.statuses[status], String(some.length)))
    .join(" · ")}</p>`;
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
  const { words, secret: link } = of;
  const { projectId } = of.link;
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
  return markup`<section id="history" aria-labelledby="h-history">
<h2 id="h-history">${words.history}</h2>
<div class="scroll"><table>
<thead><tr><th scope="col">${words.date}</th><th scope="col">${words.what}</th><th scope="col">${words.answer}</th><th scope="col">${words.receipt}</th></tr></thead>
<tbody>
${records.map(
  (
    record,
  ) => markup`<tr><td><time datetime="${record.createdAt.toISOString()}">${toDate(record.createdAt, words)}</time></td><td>${nameIn(record, words)}</td><td>${summarizeAnswers(record.answers, words)}${record.imported ? ` (${toOrigin(record.imported, words)})` : undefined}</td><td>${receipt(record, "pdf")} ${receipt(record, "json")} ${check(record)}</td></tr>
`,
)}</tbody>
</table></div>
<p class="soft small">${words.checkLead} <a href="${paths.verifier}">${words.check}</a></p>
</section>
`;
}

import { findingsFr } from "@avow/admin/findings-fr";
import { type Markup, markup } from "../../../platform/text/markup.ts";
import type { Language } from "../../evidence/log/schema.ts";
import { toReadableText, toTextLabel } from "../../evidence/reports/statement/shown-words.ts";
import { wordsOf } from "../../evidence/reports/statement/words.ts";
import type { Change } from "../../publish/changes/changes.ts";
import type { ReviewWords } from "../words/en.ts";
import { reviewWords } from "../words/words.ts";
import { toComments } from "./comments.ts";
import { type PageContext, type PageOptions, toDay } from "./context.ts";
import { toDecision } from "./decision.ts";
import { toPage } from "./frame.ts";
import type { Draft, DraftConfiguration, DraftPart } from "./read.ts";

const CHANGES_SHOWN = 200;
const BANNERS_SHOWN = 4;
/** Classes that do not say what happened. */
const isPlain: ReadonlySet<Change["class"]> = new Set(["wording", "settings", "design"]);

/** The review page of a draft. It works without scripts, apart from the preview of banners. */
export function toReviewPage(draft: Draft, options: PageOptions): string {
  const { language, link, done } = options;
  const words = reviewWords[language];
  const of = { ...options, words };
  const title = words.title(draft.projectName);
  const day = (date: Date) => toDay(date, words);
  const body = markup`<header>
<h1>${title}</h1>
<p>${words.lead(link.recipient, day(link.expires_at))}</p>
<p>${words.website}${words.locale === "fr-FR" ? "\u00a0:" : ":"} ${draft.websiteUrl}. ${draft.live ? words.live(draft.live.version, day(draft.live.publishedAt)) : words.notLive}</p>
<p class="soft small">${words.private}</p>
${toJumps(words)}
</header>
${done ? markup`<p class="notice" id="done" role="status" tabindex="-1">${words.done[done]}</p>` : undefined}
${toChanges(draft, of)}
${toFindings(draft, of)}
${toPreviews(draft, of)}
${toTexts(draft, of)}
${toComments(draft, of)}
${toDecision(draft, of)}
<p class="soft small">${words.zone}</p>`;
  const preview = { href: options.previewHref, draft: draft.preview.content };
  // Screen readers announce the title first.
  const spoken = done ? `${words.done[done]} ${title}` : title;
  return toPage({ language, title: spoken, body, preview });
}

function toJumps(words: ReviewWords): Markup {
  const parts = ["changes", "findings", "preview", "texts", "comments", "decision"] as const;
  return markup`<nav aria-label="${words.jumps}"><ul>${parts.map((id) => markup`<li><a href="#${id}">${words[id].title}</a></li>`)}</ul></nav>`;
}

function toSection(id: string, title: string, inner: Markup): Markup {
  return markup`<section id="${id}" aria-labelledby="h-${id}">
<h2 id="h-${id}">${title}</h2>
${inner}
</section>
`;
}

function toChanges({ changes, changeCount, live }: Draft, of: PageContext): Markup {
  const { words } = of;
  const texts = words.changes;
  const shown = changes.slice(0, CHANGES_SHOWN);
  const inner = markup`${live ? undefined : markup`<p>${texts.first}</p>`}
${live && shown.length === 0 ? markup`<p>${texts.none}</p>` : undefined}
<ul class="list">${shown.map((change) => markup`<li>${toChange(change, words)}</li>`)}</ul>
${changeCount > shown.length ? markup`<p class="soft">${texts.more(changeCount - shown.length)}</p>` : undefined}`;
  return toSection("changes", texts.title, inner);
}

/** A change as a sentence; in other languages than English, its class, its subject and its values. */
function toChange(change: Change, { changes: texts }: ReviewWords): Markup {
  const { asks, configuration, item, label, field, before, after, kind } = change;
  const asked = texts.asks[asks];
  const tag = asked === undefined ? undefined : markup`<span class="tag">${asked}</span>`;
  if (!texts.classes) return markup`<p>${change.message}</p>${tag}`;
  const subject = [configuration?.name, item?.name, label ?? field].filter(Boolean).join(" › ");
  const values =
    before || after
      ? markup`<p class="values"><del>${before?.text ?? texts.nothing}</del> <ins>${after?.text ?? texts.nothing}</ins></p>`
      : undefined;
  return markup`<p>${texts.classes[change.class]}${isPlain.has(change.class) && kind !== "changed" ? ` (${texts.kinds[kind]})` : ""}${subject === "" ? undefined : markup`\u00a0: ${subject}`}</p>${values}${tag}`;
}

function toFindings({ preview }: Draft, { words, language }: PageContext): Markup {
  const texts = words.findings;
  const { findings } = preview;
  const items = findings.map((finding) => {
    const { rule, severity, source, about, path } = finding;
    const own = language === "fr" ? findingsFr[rule]?.(about, { path }) : undefined;
    const { message, fix } = own ?? finding;
    const lang = own || language === "en" ? undefined : markup` lang="en"`;
    return markup`<li><span class="tag">${texts.severities[severity]}</span><p${lang}><strong>${message}</strong> ${fix}</p><p class="soft small">${texts.source}: <span lang="en">${source}</span></p></li>`;
  });
  return toSection(
    "findings",
    texts.title,
    findings.length === 0
      ? markup`<p>${texts.none}</p><p class="soft small">${texts.lead}</p>`
      : markup`<p class="soft small">${texts.lead}</p><ul class="list">${items}</ul>`,
  );
}

function toPreviews({ configurations }: Draft, { words }: PageContext): Markup {
  const texts = words.preview;
  const banners = configurations.filter(({ list }) => list === "cookies");
  const modes = [
    ["light", texts.light],
    ["dark", texts.dark],
  ] as const;
  const inner = banners
    .slice(0, BANNERS_SHOWN)
    .map(
      ({ id, name }) =>
        markup`<h3>${name}</h3><div class="frames" hidden>${modes.map(([scheme, mode]) => markup`<div data-identifier="${id}" data-scheme="${scheme}" data-title="${texts.frame(name, mode)}"><p class="soft small">${mode}</p></div>`)}</div>`,
    );
  const more = banners.length - BANNERS_SHOWN;
  return toSection(
    "preview",
    texts.title,
    markup`${banners.length === 0 ? undefined : markup`<p id="no-preview">${texts.script}</p>`}
${banners.length === 0 ? markup`<p>${texts.none}</p>` : inner}
${more > 0 ? markup`<p class="soft">${texts.more(more)}</p>` : undefined}`,
  );
}

function toTexts({ configurations }: Draft, of: PageContext): Markup {
  const { texts } = of.words;
  return toSection(
    "texts",
    texts.title,
    configurations.length === 0
      ? markup`<p>${texts.none}</p>`
      : markup`${configurations.map((one) => toConfiguration(one, of))}`,
  );
}

function toConfiguration(one: DraftConfiguration, of: PageContext): Markup {
  const { words, language } = of;
  const lang = one.language ?? language;
  const name = nameOfLanguage(one.language, language);
  const kind = words.texts.kinds[one.list];
  return markup`<details open id="c-${one.id}"><summary><span lang="${lang}">${one.name}</span> <span class="soft small">${[kind, name].filter(Boolean).join(" · ")}</span></summary>
<div class="texts">${one.parts.map((part) => toPart(part, one, of))}</div></details>`;
}

function toPart(part: DraftPart, one: DraftConfiguration, of: PageContext): Markup {
  const { words, language, link, self } = of;
  const labels = wordsOf[language];
  const lang = one.language ?? language;
  const kind = labels.shown.parts[part.kind];
  const about = new URLSearchParams({ about: one.id, at: part.pointer });
  const comment = link.may_comment
    ? markup`<a class="comment-on small" href="${`${self}?${about.toString()}#comment`}" aria-label="${`${words.texts.comment}: ${kind} ${part.name}`}">${words.texts.comment}</a>`
    : undefined;
  return markup`<div class="part"><div class="part-head"><h3>${kind}${part.kind === "configuration" ? undefined : markup` <span lang="${lang}">${part.name}</span>`}</h3>${comment}</div>
<dl>${part.texts.map((text) => markup`<dt>${toTextLabel(text, labels)}</dt><dd lang="${lang}">${toReadableText(text, labels)}</dd>`)}</dl></div>`;
}

function nameOfLanguage(code: string | undefined, language: Language): string | undefined {
  if (code === undefined) return undefined;
  try {
    return new Intl.DisplayNames([language], { type: "language" }).of(code);
  } catch (error) {
    if (error instanceof RangeError) return code;
    throw error;
  }
}

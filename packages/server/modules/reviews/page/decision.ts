import { type Markup, markup } from "../../../platform/text/markup.ts";
import type { Language } from "../../evidence/log/schema.ts";
import type { Decision } from "../approvals/schema.ts";
import { TEXT_LENGTH_MAX } from "../comments/schema.ts";
import { reviewWords } from "../words/words.ts";
import { toNameField } from "./comments.ts";
import { toPage } from "./frame.ts";
import type { Draft } from "./read.ts";
import { type PageContext, toDay } from "./context.ts";

/** The decision of the link on the draft, and the form to decide. */
export function toDecision(draft: Draft, of: PageContext): Markup {
  const { words, link, self } = of;
  const texts = words.decision;
  const { decision, isVoid, counts, digest } = draft;
  const say = decision?.decision === "approved" ? texts.approved : texts.asked;
  const state = decision
    ? markup`<p class="notice">${say(decision.author_name ?? link.recipient, toDay(decision.created_at, words))}</p>
<form method="post" action="${self}"><input type="hidden" name="decision" value="${decision.id}"><div class="row"><button name="do" value="withdraw">${texts.withdraw}</button></div></form>`
    : undefined;
  const ask = link.may_comment
    ? markup`<label>${texts.textFor}<textarea name="text" maxlength="${TEXT_LENGTH_MAX}"></textarea></label>`
    : undefined;
  return markup`<section id="decision" aria-labelledby="h-decision">
<h2 id="h-decision">${texts.title}</h2>
<p>${texts.lead} ${counts ? texts.counts : texts.advisory}</p>
${isVoid ? markup`<p class="notice">${texts.void}</p>` : undefined}
${state}
<form method="post" action="${self}"><input type="hidden" name="digest" value="${digest}">
${toNameField(of)}
${ask}
<div class="row"><button name="do" value="approve">${texts.approve}</button>
${link.may_comment ? markup`<button name="do" value="request-changes">${texts.ask}</button>` : undefined}</div></form>
</section>
`;
}

/** The page to confirm a decision; its form has everything of the form before. */
export function toConfirmPage(
  language: Language,
  {
    decision,
    digest,
    name,
    text,
  }: { decision: Decision; digest: string; name: string; text: string },
  self: string,
): string {
  const { confirm } = reviewWords[language];
  const words = decision === "approved" ? confirm.approve : confirm.ask;
  const body = markup`<section><h1>${words.title}</h1>
<p>${words.lead(name)}</p>
${text === "" ? undefined : markup`<blockquote>${text}</blockquote>`}
<form method="post" action="${self}">${toHidden("digest", digest)}${toHidden("name", name)}${toHidden("text", text)}${toHidden("confirmed", "yes")}
<div class="row"><button name="do" value="${decision === "approved" ? "approve" : "request-changes"}">${words.yes}</button>
<a class="button" href="${`${self}#decision`}">${confirm.no}</a></div></form></section>`;
  return toPage({ language, title: words.title, body }, "note");
}

function toHidden(key: string, value: string): Markup {
  return markup`<input type="hidden" name="${key}" value="${value}">`;
}

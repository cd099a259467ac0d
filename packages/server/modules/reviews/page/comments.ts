import { type Markup, markup } from "../../../platform/text/markup.ts";
import type { CommentRow } from "../comments/comments.ts";
import { TEXT_LENGTH_MAX } from "../comments/schema.ts";
import type { Draft } from "./read.ts";
import { type DraftPlace, type PageContext, toDay } from "./context.ts";

/** The first text of a place, at most 300 characters; undefined if the draft has no such place. */
export function findExcerpt(
  { configurations }: Draft,
  { configurationId, pointer }: DraftPlace,
): string | undefined {
  const part = configurations
    .find(({ id }) => id === configurationId)
    ?.parts.find((one) => one.pointer === pointer);
  return part?.texts[0]?.text.slice(0, 300);
}

export function toComments(draft: Draft, of: PageContext): Markup {
  const { words, link } = of;
  const texts = words.comments;
  const { threads, hasMoreThreads } = draft;
  return markup`<section id="comments" aria-labelledby="h-comments">
<h2 id="h-comments">${texts.title}</h2>
<p class="soft small">${texts.lead}</p>
${threads.length === 0 ? markup`<p>${texts.none}</p>` : undefined}
<ul class="list">${threads.map(
    (thread) => markup`<li>${toComment(thread, of)}
${thread.replies.length > 0 ? markup`<ul class="replies">${thread.replies.map((reply) => markup`<li>${toComment(reply, of)}</li>`)}</ul>` : undefined}
${link.may_comment ? toReplyForm(thread, of) : undefined}</li>`,
  )}</ul>
${hasMoreThreads ? markup`<p class="soft">${texts.more}</p>` : undefined}
${link.may_comment ? toCommentForm(draft, of) : undefined}
</section>
`;
}

function toComment(row: CommentRow, of: PageContext): Markup {
  const { words, link } = of;
  const texts = words.comments;
  const name =
    row.author_name ?? (row.display_name || (row.email === null ? texts.deleted : texts.member));
  const { excerpt } = row;
  return markup`<p><strong>${name}</strong> <span class="soft small">${row.link_id === link.id ? `(${link.recipient}) ` : undefined}${toDay(row.created_at, words)}</span> ${row.resolved_at ? markup`<span class="tag">${texts.resolved}</span>` : undefined}</p>
${excerpt === null || excerpt === "" ? undefined : markup`<blockquote>${excerpt}</blockquote>`}
<p class="text">${row.text}</p>`;
}

function toReplyForm({ id }: CommentRow, of: PageContext): Markup {
  const { words, self } = of;
  return markup`<details><summary class="small">${words.comments.reply}</summary>
<form method="post" action="${self}"><input type="hidden" name="thread" value="${id}">
${toNameField(of)}
${toTextField(words.text)}
<div class="row"><button name="do" value="reply">${words.comments.reply}</button></div></form></details>`;
}

function toCommentForm(draft: Draft, of: PageContext): Markup {
  const { words, self, about } = of;
  const texts = words.comments;
  const excerpt = about && findExcerpt(draft, about);
  const named = draft.configurations.map(
    ({ id, name }) =>
      markup`<option value="${id}"${about?.configurationId === id ? markup` selected` : undefined}>${name}</option>`,
  );
  return markup`<form method="post" action="${self}" id="comment">
<h3>${texts.add}</h3>
${
  about && excerpt !== undefined
    ? markup`<blockquote>${excerpt}</blockquote><input type="hidden" name="configuration" value="${about.configurationId}"><input type="hidden" name="pointer" value="${about.pointer}">`
    : markup`<label>${texts.what}<select name="configuration"><option value="">${texts.whole}</option>${named}</select></label>`
}
${toNameField(of)}
${toTextField(words.text)}
<div class="row"><button name="do" value="comment">${texts.send}</button></div></form>`;
}

/** The field for the name of the person who acts, which has the recipient of the link. */
export function toNameField({ words, link }: PageContext): Markup {
  return markup`<label>${words.name}<input name="name" value="${link.recipient}" maxlength="100" required autocomplete="name"></label>`;
}

function toTextField(label: string): Markup {
  return markup`<label>${label}<textarea name="text" maxlength="${TEXT_LENGTH_MAX}" required></textarea></label>`;
}

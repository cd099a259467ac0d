import type { Ctx } from "../../../kernel/ctx.ts";
import { Fault } from "../../../platform/errors.ts";
import { decideOnDraft, withdrawDecision } from "../approvals/approvals.ts";
import type { Decision } from "../approvals/schema.ts";
import { createReply, createThread } from "../comments/comments.ts";
import type { Anchor } from "../comments/schema.ts";
import { TEXT_LENGTH_MAX } from "../comments/schema.ts";
import type { LinkRow } from "../links/links.ts";
import { toWrittenText } from "../written-text.ts";
import { findExcerpt } from "./comments.ts";
import type { DraftPlace } from "./context.ts";
import type { Draft } from "./read.ts";
import type { ActIn } from "./schema.ts";

interface SignedAct {
  name: string;
}

/** An act on the review page. */
export type Act =
  | ({ kind: "comment"; text: string; about: DraftPlace | undefined } & SignedAct)
  | ({ kind: "reply"; text: string; commentId: string } & SignedAct)
  | ({
      kind: "decide";
      decision: Decision;
      digest: string;
      text: string;
      isConfirmed: boolean;
    } & SignedAct)
  | { kind: "withdraw"; decisionId: string };

/**
 * The act of a form.
 * @throws Fault invalid without a name or a text; forbidden for a comment by a link that may not comment
 */
export function toAct({ may_comment: mayComment }: LinkRow, form: ActIn): Act {
  if (form.do === "withdraw") return { kind: "withdraw", decisionId: form.decision ?? "" };
  const name = toWrittenText(form.name ?? "", "/name").replaceAll("\n", " ");
  const isApproval = form.do === "approve";
  const text = isApproval ? "" : toText(form.text ?? "");
  if (!isApproval && !mayComment) throw new Fault("forbidden", "This link may not comment.");
  if (form.do === "reply") return { kind: "reply", name, text, commentId: form.thread ?? "" };
  if (form.do === "comment") {
    const { configuration: configurationId = "", pointer = "" } = form;
    const about = configurationId === "" ? undefined : { configurationId, pointer };
    return { kind: "comment", name, text, about };
  }
  return {
    kind: "decide",
    decision: isApproval ? "approved" : "changes-requested",
    digest: form.digest ?? "",
    name,
    text,
    isConfirmed: form.confirmed === "yes",
  };
}

function toText(given: string): string {
  const text = toWrittenText(given);
  if (text.length <= TEXT_LENGTH_MAX) return text;
  throw new Fault("invalid", `A comment has at most ${TEXT_LENGTH_MAX} characters.`);
}

/** Does an act for the holder of a link. Returns the name of what was done. Throws as the verbs. */
export async function act(
  ctx: Ctx,
  { link, draft }: { link: LinkRow; draft: Draft | undefined },
  chosen: Act,
): Promise<"approved" | "changes-requested" | "withdrawn" | "comment"> {
  const projectId = link.project_id;
  if (chosen.kind === "withdraw") {
    const { decisionId } = chosen;
    await withdrawDecision(ctx, { projectId, decisionId }, { linkId: link.id, name: "" });
    return "withdrawn";
  }
  const author = { linkId: link.id, name: chosen.name };
  const { text } = chosen;
  if (chosen.kind === "reply") {
    await createReply(ctx, { projectId, commentId: chosen.commentId, text }, author);
    return "comment";
  }
  if (chosen.kind === "comment") {
    const about = chosen.about && toAnchor(chosen.about, draft);
    await createThread(ctx, { projectId, text, about }, author);
    return "comment";
  }
  const { decision, digest } = chosen;
  await decideOnDraft(ctx, { projectId, digest, decision, text }, author);
  return decision;
}

/** The anchor of a comment, with the text that is there now. */
function toAnchor({ configurationId, pointer }: DraftPlace, draft: Draft | undefined): Anchor {
  const excerpt = draft && findExcerpt(draft, { configurationId, pointer });
  return {
    configurationId,
    ...(pointer === "" ? {} : { pointer }),
    ...(excerpt === undefined ? {} : { excerpt }),
  };
}

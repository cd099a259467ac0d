import { type Scope, toActorName } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import { type CursorPage, parseTimeCursor, toCursorPage } from "../../../kernel/page.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { Fault } from "../../../platform/errors.ts";
import { readDraftDigest } from "../../publish/approval/approving.ts";
import { getProject } from "../../vault/documents/access.ts";
import { listHolders } from "../../vault/members/holders.ts";
import { type Author, authorOf, isAuthor, toAuthorColumns, toEventAuthor } from "../authors.ts";
import { addUnrecorded } from "../comments/comments.ts";
import { countComments } from "../comments/comments-store.ts";
import { toWrittenText } from "../written-text.ts";
import {
  type DecisionRow,
  type RequestRow,
  findDecision,
  findDecisionBy,
  findRequest,
  hasValidDecision,
  insertDecision,
  listDecisionRows,
  listDecisionsOn,
  listEarlierDecisions,
  updateWithdrawn,
  upsertRequest,
  upsertSettings,
} from "./approvals-store.ts";
import { isCounted, listApprovers, readSettings } from "./counting.ts";
import type { Decision, Settings } from "./schema.ts";

const EARLIER_MAX = 20;

/** A decision with whether it is about the draft as it is now, and whether it counts. */
export interface StatedDecision extends DecisionRow {
  isCurrent: boolean;
  counts: boolean;
}

/** The state of a draft's review. */
export interface Review {
  digest: string;
  settings: Settings;
  decisions: StatedDecision[];
  earlier: StatedDecision[];
  missing: number;
  mayApprove: boolean;
  request: RequestRow | undefined;
  openThreads: number;
}

/** The state of a draft's review, for a caller who may publish it. Throws `Fault` not-found, forbidden, impossible. */
export async function readReview(db: Db, scope: Scope, projectId: string): Promise<Review> {
  await getProject(db, scope, projectId);
  return inTransaction(db, async (tx) => {
    const settings = await readSettings(tx, projectId);
    const approvers = await listApprovers(tx, projectId, settings);
    const digest = await readDraftDigest(tx, projectId);
    const state = { digest, settings, approvers };
    const current = await listDecisionsOn(tx, { projectId, digest });
    const earlier = await listEarlierDecisions(tx, { projectId, digest }, EARLIER_MAX);
    const decisions = current.map((row) => toStated(row, state));
    const userId = scope.kind === "user" ? scope.userId : undefined;
    const counted = decisions.filter((one) => one.counts && one.author_id !== userId).length;
    return {
      digest,
      settings,
      decisions,
      earlier: earlier.map((row) => toStated(row, state)),
      missing: Math.max(0, settings.required - counted),
      mayApprove: userId !== undefined && approvers.has(userId),
      request: await findRequest(tx, projectId),
      openThreads: await countComments(tx, { projectId, isOpen: true }),
    };
  });
}

/** A page of all decisions of a project, newest first. Throws `Fault` not-found, forbidden, invalid. */
export async function listDecisions(
  db: Db,
  scope: Scope,
  request: { projectId: string; limit: number; cursor: string | undefined },
): Promise<CursorPage<StatedDecision>> {
  const { projectId, limit, cursor } = request;
  await getProject(db, scope, projectId);
  const before = parseTimeCursor(cursor);
  return inTransaction(db, async (tx) => {
    const settings = await readSettings(tx, projectId);
    const approvers = await listApprovers(tx, projectId, settings);
    const digest = await readDraftDigest(tx, projectId);
    const rows = await listDecisionRows(tx, { projectId, before }, limit + 1);
    return toCursorPage(rows, limit, {
      keyOf: (row) => [row.created_at.toISOString(), row.id],
      toItem: (row) => toStated(row, { digest, settings, approvers }),
    });
  });
}

/**
 * Sets the number of approvals that a publication requires, and the persons who approve.
 * @throws Fault not-found, forbidden for others than owners
 */
export async function changeSettings(
  ctx: Ctx,
  { projectId, ...settings }: Settings & { projectId: string },
): Promise<Settings> {
  await getProject(ctx.tx, ctx.scope, projectId);
  const before = await readSettings(ctx.tx, projectId);
  const by = toActorName(ctx.actor);
  await upsertSettings(ctx.tx, { projectId, ...settings, now: ctx.now, by });
  await recordEvent(ctx, {
    name: "review.settings-changed",
    projectId,
    documentId: projectId,
    data: { before, after: settings },
  });
  return settings;
}

/**
 * Asks members for a review of the draft as it is now. The newest request replaces the one before.
 * @throws Fault not-found, forbidden, invalid for a reviewer who cannot read the project
 */
export async function requestReview(
  ctx: Ctx,
  request: { projectId: string; message?: string; reviewers?: string[] },
): Promise<RequestRow & { digest: string }> {
  const { projectId, message = "", reviewers = [] } = request;
  await getProject(ctx.tx, ctx.scope, projectId);
  const readers = (await listHolders(ctx.tx, [projectId], "comment")).get(projectId);
  const at = reviewers.findIndex((id) => readers?.has(id) !== true);
  if (at !== -1) {
    const fault = { path: `/reviewers/${at}`, message: "is no member who can read the project" };
    throw new Fault("invalid", `${fault.path}: ${fault.message}`, { faults: [fault] });
  }
  const id = newDocumentId(ctx.now);
  const digest = await readDraftDigest(ctx.tx, projectId);
  await upsertRequest(ctx.tx, {
    id,
    project_id: projectId,
    digest,
    message: message.trim() === "" ? null : toWrittenText(message, "/message"),
    reviewers,
    created_at: ctx.now,
    created_by: toActorName(ctx.actor),
  });
  const data = { digest, reviewers };
  await recordEvent(ctx, { name: "review.requested", projectId, documentId: id, data });
  const row = await findRequest(ctx.tx, projectId);
  if (!row) throw new Error(`review request ${id} is missing`);
  return row;
}

/**
 * Approves exactly the draft that the caller has seen, or requests changes of it, with a comment. A decision replaces the
 * author's earlier one on the same draft; the same decision again changes nothing.
 * @throws Fault not-found; forbidden for members who may not approve; conflict for a draft that was changed since;
 *   invalid for a request of changes without a text; conflict for a text beyond the project's limit of comments
 */
export async function decideOnDraft(
  ctx: Ctx,
  request: { projectId: string; digest: string; decision: Decision; text?: string | undefined },
  author: Author = authorOf(ctx),
): Promise<StatedDecision> {
  const { projectId, digest, decision, text = "" } = request;
  await getProject(ctx.tx, ctx.scope, projectId);
  const settings = await readSettings(ctx.tx, projectId);
  const approvers = await listApprovers(ctx.tx, projectId, settings);
  if (decision === "approved" && "userId" in author && !approvers.has(author.userId))
    throw new Fault("forbidden", "Only owners approve drafts of this project.");
  const current = await readDraftDigest(ctx.tx, projectId);
  if (current !== digest)
    throw new Fault("conflict", "The draft was changed since you opened it. Review it again.");
  const key = { projectId, digest, authorId: "userId" in author ? author.userId : author.linkId };
  const before = await findDecisionBy(ctx.tx, key);
  const state = { digest, settings, approvers };
  const isSame = before?.decision === decision;
  if (before && isSame && text.trim() === "") return toStated(before, state);
  const isRequest = decision === "changes-requested";
  const comment =
    isRequest || text.trim() !== ""
      ? await addUnrecorded(ctx, { projectId, text, threadId: null, about: undefined }, author)
      : undefined;
  if (before && !isSame) await updateWithdrawn(ctx.tx, before.id, ctx.now);
  const id = before && isSame ? before.id : newDocumentId(ctx.now);
  if (id !== before?.id) {
    const inserted = await insertDecision(ctx.tx, {
      id,
      project_id: projectId,
      digest,
      decision,
      created_at: ctx.now,
      ...toAuthorColumns(author),
    });
    if (!inserted) throw new Fault("busy", "You are deciding on this draft already. Try again.");
  }
  await recordEvent(ctx, {
    name: isRequest ? "review.changes-requested" : "approval.given",
    projectId,
    documentId: id,
    data: { digest, ...(comment ? { commentId: comment } : {}), ...toEventAuthor(author) },
  });
  return toStated(await getDecision(ctx.tx, { projectId, decisionId: id }), state);
}

/**
 * Withdraws a decision: one's own, or any for owners. Nothing happens if it was withdrawn before.
 * @throws Fault not-found, forbidden
 */
export async function withdrawDecision(
  ctx: Ctx,
  key: { projectId: string; decisionId: string },
  author: Author = authorOf(ctx),
): Promise<void> {
  await getProject(ctx.tx, ctx.scope, key.projectId);
  const row = await getDecision(ctx.tx, key);
  if (!isAuthor(row, author)) {
    if ("linkId" in author) throw toUnknown(key);
    await getProject(ctx.tx, ctx.scope, key.projectId, "own");
  }
  if (!(await updateWithdrawn(ctx.tx, row.id, ctx.now))) return;
  await recordEvent(ctx, {
    name: "approval.withdrawn",
    projectId: key.projectId,
    documentId: row.id,
    data: { digest: row.digest, decision: row.decision, ...toEventAuthor(author) },
  });
}

async function getDecision(
  tx: Tx,
  key: { projectId: string; decisionId: string },
): Promise<DecisionRow> {
  const row = await findDecision(tx, key);
  if (!row) throw toUnknown(key);
  return row;
}

function toUnknown({ decisionId }: { decisionId: string }): Fault {
  return new Fault("not-found", `The project has no decision ${decisionId}.`);
}

function toStated(
  row: DecisionRow,
  state: { digest: string; settings: Settings; approvers: ReadonlySet<string> },
): StatedDecision {
  const isCurrent = row.digest === state.digest && row.withdrawn_at === null;
  return { ...row, isCurrent, counts: isCurrent && isCounted(row, state) };
}

/** The decision of a review link on a draft, whether its newest one is void, and whether its approval counts. */
export async function readLinkDecisions(
  db: Db,
  {
    link,
    digest,
  }: { link: { id: string; project_id: string; may_approve: boolean }; digest: string },
): Promise<{ decision: StatedDecision | undefined; isVoid: boolean; counts: boolean }> {
  const { id: authorId, project_id: projectId } = link;
  const settings = await readSettings(db, projectId);
  const decision = await findDecisionBy(db, { projectId, digest, authorId });
  const state = { digest, settings, approvers: new Set<string>() };
  return {
    decision: decision && toStated(decision, state),
    isVoid: !decision && (await hasValidDecision(db, authorId)),
    counts: link.may_approve && settings.links,
  };
}

import { toActorName } from "../../kernel/actor.ts";
import type { Ctx } from "../../kernel/ctx.ts";
import { Fault } from "../../platform/errors.ts";
import { assertMatches } from "../../kernel/etag.ts";
import { recordEvent } from "../../kernel/events.ts";
import { newDocumentId } from "../../kernel/ids.ts";
import type { MailLanguage } from "../../platform/mail/languages.ts";
import type { WebhooksApp } from "./app.ts";
import { assertMayRead } from "./consent-rights.ts";
import { olderNamePattern } from "./events.ts";
import { assertHeaders } from "./headers.ts";
import { wakeLane } from "./lanes-store.ts";
import type { WebhookIn, WebhookPatchIn } from "./schema.ts";
import { newSecrets } from "./signing.ts";
import {
  type WebhookRow,
  countWebhooks,
  deleteWebhook,
  listWebhooks,
  insertWebhook,
  lockWebhook,
  updateWebhook,
} from "./store.ts";
import { toWebhookEtag } from "./webhook-out.ts";

/** Of one user. */
export const WEBHOOKS_MAX = 1_000;

type Verbs = Pick<WebhooksApp, "sealing" | "sources">;

/** A webhook that the caller wants, or has changed; its address was read already. */
interface Given {
  url: URL | undefined;
  events: string[] | undefined;
}

/**
 * Makes a webhook, of what happens from now on. Answers its secret, which nobody can ask for again.
 * @throws Fault invalid (a header that may not be sent, events of several projects), impossible for a
 *   project that is unknown or not visible, forbidden where its events are for another role, or for an API key
 *   that may not read the consents it would be told, conflict for more than 1,000
 */
export async function createWebhook(
  ctx: Ctx,
  { sealing, sources }: Verbs,
  { url, events, body, language }: Given & { body: WebhookIn; language: MailLanguage },
): Promise<{ row: WebhookRow; secret: string }> {
  if (ctx.actor.kind !== "user")
    throw new Fault("forbidden", "A webhook tells what its maker may receive: sign in as a user.");
  const projectId = toProjectId(events ?? [], body.projectId);
  if (projectId !== undefined) await assertReceiver(ctx, sources, projectId);
  if (!url || !events) throw toMissing(url);
  assertMayRead(ctx.actor, events);
  assertHeaders(body.headers ?? {});
  if ((await countWebhooks(ctx.tx, ctx.scope)) >= WEBHOOKS_MAX)
    throw new Fault("conflict", `You have ${WEBHOOKS_MAX} webhooks: delete one first.`);
  const secrets = newSecrets();
  const { enabled = true } = body;
  const row = {
    id: newDocumentId(ctx.now),
    project_id: projectId ?? null,
    url: url.href,
    events,
    collection: body.collection ?? null,
    identifier: body.identifier ?? null,
    headers: sealing.seal(body.headers ?? {}),
    secrets: sealing.seal(secrets),
    enabled,
    disabled_because: enabled ? null : "owner",
    failing_since: null,
    tells_from: ctx.now,
    language,
    disabled_told_at: null,
    version: 1,
    created_at: ctx.now,
    created_by: toActorName(ctx.actor),
    updated_at: ctx.now,
  };
  await insertWebhook(ctx.tx, row);
  await recordWebhook(ctx, row, "created");
  return { row, secret: secrets.hmac };
}

/** What is named in a body is not found with 422, as in the vault. */
async function assertReceiver(
  ctx: Ctx,
  sources: Verbs["sources"],
  projectId: string,
): Promise<void> {
  try {
    await sources.assertReceiver(ctx.tx, ctx.scope, projectId);
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== "not-found") throw error;
    const faults = [{ path: "/projectId", message: "is no project that you may see" }];
    throw new Fault("impossible", error.message, { faults, cause: error });
  }
}

/** What is missing of a new webhook: the address is told first. */
function toMissing(url: URL | undefined): Fault {
  const path = url ? "/events" : "/url";
  return new Fault("invalid", `${path}: is required`, {
    faults: [{ path, message: "is required" }],
  });
}

/** The project that events are of: older names carry it. Throws `Fault` (invalid) for several. */
function toProjectId(events: readonly string[], given: string | undefined): string | undefined {
  const named = events.flatMap((name) => olderNamePattern.exec(name)?.[1] ?? []);
  const ids = new Set(given === undefined ? named : [...named, given]);
  if (ids.size <= 1) return [...ids][0];
  const message = "must name one project: make a webhook for each";
  throw new Fault("invalid", `/events: ${message}`, { faults: [{ path: "/events", message }] });
}

interface Target {
  id: string;
  ifMatch?: string | undefined;
}

/** Locks the caller's webhook. Throws `Fault` (not-found, stale). */
export async function getForChange(ctx: Ctx, { id, ifMatch }: Target): Promise<WebhookRow> {
  const row = await lockWebhook(ctx.tx, ctx.scope, id);
  if (!row) throw toUnknown(id);
  assertMatches(ifMatch, toWebhookEtag(row));
  return row;
}

/** The fault for a webhook that is not the caller's. */
export function toUnknown(id: string): Fault {
  return new Fault("not-found", `There is no webhook ${id.slice(0, 24)} of yours.`);
}

/**
 * Changes a webhook. Enabled again, it goes on with what waited; what happened while it was disabled can
 * be replayed. Throws as `createWebhook`, and not-found, stale.
 */
export async function changeWebhook(
  ctx: Ctx,
  { sealing }: Verbs,
  { url, events, patch, ...target }: Given & Target & { patch: WebhookPatchIn },
): Promise<WebhookRow> {
  const present = await getForChange(ctx, target);
  // Other headers may lead them elsewhere too, where the receiver's host goes by them.
  if (url || events || patch.headers) assertMayRead(ctx.actor, events ?? present.events);
  if (patch.headers) assertHeaders(patch.headers);
  assertSameProject(present, { events, projectId: patch.projectId });
  const enabled = patch.enabled ?? present.enabled;
  const isBack = enabled && !present.enabled;
  const isElsewhere = url !== undefined && url.href !== present.url;
  const changes = {
    url: url?.href ?? present.url,
    events: events ?? present.events,
    collection: patch.collection === undefined ? present.collection : patch.collection,
    identifier: patch.identifier === undefined ? present.identifier : patch.identifier,
    headers: patch.headers ? sealing.seal(patch.headers) : present.headers,
    enabled,
    disabled_because: enabled ? null : (present.disabled_because ?? "owner"),
    ...(isBack || isElsewhere ? { failing_since: null } : {}),
    version: present.version + 1,
    updated_at: ctx.now,
  };
  await updateWebhook(ctx.tx, present.id, changes);
  if (isBack) await wakeLane(ctx.tx, present.id, ctx.now);
  await recordWebhook(ctx, present, "updated");
  return { ...present, ...changes };
}

/** @throws Fault impossible for another project than the webhook's own, by whatever name */
function assertSameProject(
  present: WebhookRow,
  {
    events,
    projectId,
  }: { events: readonly string[] | undefined; projectId: string | null | undefined },
): void {
  const named = events && toProjectId(events, present.project_id ?? undefined);
  const isOther = (id: string | null | undefined) => id !== undefined && id !== present.project_id;
  const paths = [
    ...(isOther(projectId) ? ["/projectId"] : []),
    ...(events && isOther(named ?? null) ? ["/events"] : []),
  ];
  if (paths.length === 0) return;
  const faults = paths.map((path) => ({ path, message: "names another project" }));
  throw new Fault("impossible", "A webhook keeps its project: make another one.", { faults });
}

/** Deletes a webhook with its deliveries. Throws `Fault` (not-found, stale). */
export async function removeWebhook(ctx: Ctx, target: Target): Promise<null> {
  const row = await getForChange(ctx, target);
  await deleteWebhook(ctx.tx, row.id);
  await recordWebhook(ctx, row, "deleted");
  return null;
}

/** Deletes all of the caller's webhooks, when their account goes. */
export async function removeWebhooks(ctx: Ctx): Promise<void> {
  for (const row of await listWebhooks(ctx.tx, ctx.scope, WEBHOOKS_MAX)) {
    await deleteWebhook(ctx.tx, row.id);
    await recordWebhook(ctx, row, "deleted");
  }
}

/** Records what was done to a webhook. */
export async function recordWebhook(
  ctx: Ctx,
  { id, project_id }: Pick<WebhookRow, "id" | "project_id">,
  happened: "created" | "updated" | "deleted" | "rotated",
): Promise<void> {
  const projectId = project_id ?? undefined;
  await recordEvent(ctx, { name: `webhook.${happened}`, projectId, documentId: id });
}

import { toActorName } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import { assertMatches } from "../../../kernel/etag.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import { Fault } from "../../../platform/errors.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import type { WebhooksApp } from "../ports.ts";
import { assertMayRead } from "./consent-rights.ts";
import { toWebhookEtag } from "./endpoint-out.ts";
import { olderNamePattern } from "./events.ts";
import { assertHeaders } from "./headers.ts";
import type { WebhookIn, WebhookPatchIn } from "./schema.ts";
import { newSecrets } from "./signing.ts";
import {
  type Endpoint,
  countEndpoints,
  deleteEndpoint,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  updateEndpoint,
} from "./store.ts";

/** Limit of one user. */
export const WEBHOOKS_MAX = 1_000;

type Verbs = Pick<WebhooksApp, "sealing" | "sources">;

/** Fields of a request that were parsed before the transaction. */
export interface EndpointFields {
  url: URL | undefined;
  events: string[] | undefined;
}

/**
 * Creates an endpoint, which receives events from now on. Its secret is returned only once.
 * @throws Fault invalid (a header that must not be sent, events of several projects), impossible for an unknown or
 *   invisible project, forbidden for a role or an API key that may not receive its events, conflict over the limit
 */
export async function createWebhook(
  ctx: Ctx,
  { sealing, sources }: Verbs,
  { url, events, body, language }: EndpointFields & { body: WebhookIn; language: MailLanguage },
): Promise<{ endpoint: Endpoint; secret: string }> {
  if (ctx.actor.kind !== "user")
    throw new Fault("forbidden", "Only a user can create a webhook. Sign in.");
  const projectId = toProjectId(events ?? [], body.projectId);
  if (projectId !== undefined) await assertReceiver(ctx, sources, projectId);
  if (!url || !events) throw toFault(url ? "/events" : "/url", "is required");
  assertMayRead(ctx.actor, events);
  assertHeaders(body.headers ?? {});
  if ((await countEndpoints(ctx.tx, ctx.scope)) >= WEBHOOKS_MAX)
    throw new Fault(
      "conflict",
      `You have ${WEBHOOKS_MAX} webhooks, which is the limit. Delete one first.`,
    );
  const secrets = newSecrets();
  const { enabled = true } = body;
  const endpoint = await insertEndpoint(ctx.tx, {
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
    delivers_from: ctx.now,
    language,
    version: 1,
    created_at: ctx.now,
    created_by: toActorName(ctx.actor),
    updated_at: ctx.now,
  });
  await recordWebhook(ctx, endpoint, "created");
  return { endpoint, secret: secrets.hmac };
}

/** Reports an unknown project named in a body as 422, like the vault. */
async function assertReceiver(
  ctx: Ctx,
  sources: Verbs["sources"],
  projectId: string,
): Promise<void> {
  try {
    await sources.assertReceiver(ctx.tx, ctx.scope, projectId);
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== "not-found") throw error;
    const faults = [{ path: "/projectId", message: "is not a project that you can access" }];
    throw new Fault("impossible", error.message, { faults, cause: error });
  }
}

function toFault(path: string, message: string): Fault {
  return new Fault("invalid", `${path}: ${message}`, { faults: [{ path, message }] });
}

/** The project of a list of events: older names carry it. Throws `Fault` (invalid) for several. */
function toProjectId(events: readonly string[], given: string | undefined): string | undefined {
  const named = events.flatMap((name) => olderNamePattern.exec(name)?.[1] ?? []);
  const ids = new Set(given === undefined ? named : [...named, given]);
  if (ids.size > 1)
    throw toFault("/events", "must name one project only; create one webhook per project");
  return [...ids][0];
}

interface Target {
  id: string;
  ifMatch?: string | undefined;
}

/** Locks the caller's endpoint. Throws `Fault` (not-found, stale). */
export async function getForUpdate(ctx: Ctx, { id, ifMatch }: Target): Promise<Endpoint> {
  const endpoint = await lockEndpoint(ctx.tx, ctx.scope, id);
  if (!endpoint) throw toUnknown(id);
  assertMatches(ifMatch, toWebhookEtag(endpoint));
  return endpoint;
}

/** The same; also throws `Fault` (conflict) for a disabled endpoint, to which nothing would be sent. */
export async function lockEnabledEndpoint(ctx: Ctx, id: string): Promise<Endpoint> {
  const endpoint = await getForUpdate(ctx, { id });
  if (!endpoint.enabled) throw new Fault("conflict", "The webhook is disabled. Enable it first.");
  return endpoint;
}

export function toUnknown(id: string): Fault {
  return new Fault("not-found", `You have no webhook ${id.slice(0, 24)}.`);
}

/**
 * Changes an endpoint. Once enabled again, it receives its pending deliveries; events of the meantime can be replayed.
 * @throws Fault as `createWebhook`, and not-found, stale
 */
export async function changeWebhook(
  ctx: Ctx,
  { sealing }: Verbs,
  { url, events, patch, ...target }: EndpointFields & Target & { patch: WebhookPatchIn },
): Promise<Endpoint> {
  const present = await getForUpdate(ctx, target);
  // Headers too can route deliveries elsewhere.
  if (url || events || patch.headers) assertMayRead(ctx.actor, events ?? present.events);
  if (patch.headers) assertHeaders(patch.headers);
  assertSameProject(present, events, patch.projectId);
  const { enabled = present.enabled } = patch;
  const isBack = enabled && !present.enabled;
  const isMoved = url !== undefined && url.href !== present.url;
  const endpoint = await updateEndpoint(ctx.tx, present.id, {
    url: url?.href ?? present.url,
    events: events ?? present.events,
    collection: patch.collection === undefined ? present.collection : patch.collection,
    identifier: patch.identifier === undefined ? present.identifier : patch.identifier,
    headers: patch.headers ? sealing.seal(patch.headers) : present.headers,
    enabled,
    disabled_because: enabled ? null : (present.disabled_because ?? "owner"),
    ...(isBack || isMoved ? { failing_since: null } : {}),
    ...(isBack ? { due_at: ctx.now, rests_until: null, failures: 0 } : {}),
    ...(enabled ? {} : { due_at: null }),
    version: present.version + 1,
    updated_at: ctx.now,
  });
  await recordWebhook(ctx, endpoint, "updated");
  return endpoint;
}

/** @throws Fault impossible for another project than the endpoint's own, by either name */
function assertSameProject(
  { project_id: present }: Endpoint,
  events: readonly string[] | undefined,
  projectId: string | null | undefined,
): void {
  const named = events && (toProjectId(events, present ?? undefined) ?? null);
  const isOther = (id: string | null | undefined) => id !== undefined && id !== present;
  const paths = [
    ...(isOther(projectId) ? ["/projectId"] : []),
    ...(isOther(named) ? ["/events"] : []),
  ];
  if (paths.length === 0) return;
  const faults = paths.map((path) => ({ path, message: "names another project" }));
  throw new Fault(
    "impossible",
    "The project of a webhook cannot be changed. Create another webhook.",
    { faults },
  );
}

/** Deletes an endpoint with its deliveries. Throws `Fault` (not-found, stale). */
export async function removeWebhook(ctx: Ctx, target: Target): Promise<null> {
  const endpoint = await getForUpdate(ctx, target);
  await deleteEndpoint(ctx.tx, endpoint.id);
  await recordWebhook(ctx, endpoint, "deleted");
  return null;
}

/** Deletes all endpoints of the caller, whose account is being deleted. */
export async function removeWebhooks(ctx: Ctx): Promise<void> {
  for (const endpoint of await listEndpoints(ctx.tx, ctx.scope, WEBHOOKS_MAX)) {
    await deleteEndpoint(ctx.tx, endpoint.id);
    await recordWebhook(ctx, endpoint, "deleted");
  }
}

/** Records an act on an endpoint in the audit trail. */
export async function recordWebhook(
  ctx: Ctx,
  { id, project_id: projectId }: Pick<Endpoint, "id" | "project_id">,
  act: "created" | "updated" | "deleted" | "rotated" | "replayed",
): Promise<void> {
  const name = `webhook.${act}` as const;
  await recordEvent(ctx, { name, projectId: projectId ?? undefined, documentId: id });
}

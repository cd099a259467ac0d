import type { Ctx } from "../../../kernel/ctx.ts";
import { assertMayRead } from "../endpoints/consent-rights.ts";
import { lockEnabledEndpoint, recordWebhook } from "../endpoints/endpoints.ts";
import { type Endpoint, updateEndpoint } from "../endpoints/store.ts";
import type { WebhooksApp } from "../ports.ts";
import { parseSince } from "./cursor.ts";
import { findHead, lockHeadShared } from "./store.ts";

/**
 * Replays events to an endpoint from an instant or a cursor, in order and with the same `webhook-id`s; later events
 * follow.
 * @throws Fault not-found, conflict, invalid, forbidden for an API key that may not read the endpoint's consents
 */
export async function replayWebhook(
  ctx: Ctx,
  { counters }: Pick<WebhooksApp, "counters">,
  { id, since }: { id: string; since: string },
): Promise<Endpoint> {
  // The head first, as the feed locks them: its deliveries are either before the cursor or already written.
  await lockHeadShared(ctx.tx);
  const present = await lockEnabledEndpoint(ctx, id);
  assertMayRead(ctx.actor, present.events);
  const { cursor, instant } = await parseSince(ctx.tx, counters, { since, now: ctx.now });
  const head = await findHead(ctx.tx);
  const endpoint = await updateEndpoint(ctx.tx, id, {
    position: Math.min(cursor.position, head.position),
    leaf: Math.min(cursor.leaf, head.leaf),
    delivers_from: instant,
    due_at: ctx.now,
    rests_until: null,
    failures: 0,
    version: present.version + 1,
    updated_at: ctx.now,
  });
  await recordWebhook(ctx, endpoint, "replayed");
  return endpoint;
}

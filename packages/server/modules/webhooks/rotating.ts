import type { Ctx } from "../../kernel/ctx.ts";
import { Fault } from "../../platform/errors.ts";
import type { WebhooksApp } from "./app.ts";
import { assertMayRead } from "./consent-rights.ts";
import { type Secrets, rotateKey, rotateSecret, toOutgoing, toOutgoingKeys } from "./signing.ts";
import { type WebhookRow, updateWebhook } from "./store.ts";
import { getForChange, recordWebhook } from "./webhooks.ts";

const OVERLAP_HOURS = 24;
/** Secrets, and keys, that sign beside the present one. */
const OUTGOING_MAX = 4;
const HOUR_MS = 3_600_000;

interface Asked {
  id: string;
  overlapHours?: number | undefined;
}

type Verbs = Pick<WebhooksApp, "sealing">;

/**
 * Gives a webhook a new secret; those before sign too, each for its time, or none of them where `overlapHours` is 0.
 * @throws Fault not-found; conflict where five sign already; forbidden for an API key that may not read the consents
 *   that the webhook tells
 */
export async function rotateWebhookSecret(
  ctx: Ctx,
  { sealing }: Verbs,
  { id, overlapHours = OVERLAP_HOURS }: Asked,
): Promise<{ row: WebhookRow; secret: string }> {
  const present = await getForChange(ctx, { id });
  assertMayRead(ctx.actor, present.events);
  const before = sealing.unseal<Secrets>(present.secrets);
  assertRoom(toOutgoing(before, ctx.now), { what: "secrets", overlapHours });
  const secrets = rotateSecret(before, { now: ctx.now, until: toEnd(ctx.now, overlapHours) });
  return { row: await keepSecrets(ctx, sealing, { present, secrets }), secret: secrets.hmac };
}

/**
 * Gives a webhook a new Ed25519 key, whose public half is answered with the webhook; those before sign too, as with
 * secrets. Nobody learns anything by it that is not public.
 * @throws Fault not-found; conflict where five sign already
 */
export async function rotateWebhookKey(
  ctx: Ctx,
  { sealing }: Verbs,
  { id, overlapHours = OVERLAP_HOURS }: Asked,
): Promise<WebhookRow> {
  const present = await getForChange(ctx, { id });
  const before = sealing.unseal<Secrets>(present.secrets);
  assertRoom(toOutgoingKeys(before, ctx.now), { what: "keys", overlapHours });
  const secrets = rotateKey(before, { now: ctx.now, until: toEnd(ctx.now, overlapHours) });
  return keepSecrets(ctx, sealing, { present, secrets });
}

function toEnd(now: Date, overlapHours: number): Date {
  return new Date(now.getTime() + overlapHours * HOUR_MS);
}

/** @throws Fault conflict where five sign already */
function assertRoom(
  outgoing: readonly unknown[],
  { what, overlapHours }: { what: string; overlapHours: number },
): void {
  if (overlapHours === 0 || outgoing.length < OUTGOING_MAX) return;
  throw new Fault(
    "conflict",
    `${OUTGOING_MAX + 1} ${what} sign already: wait until one has ended, or end them by overlapHours 0.`,
  );
}

async function keepSecrets(
  ctx: Ctx,
  sealing: WebhooksApp["sealing"],
  { present, secrets }: { present: WebhookRow; secrets: Secrets },
): Promise<WebhookRow> {
  const changes = {
    secrets: sealing.seal(secrets),
    version: present.version + 1,
    updated_at: ctx.now,
  };
  await updateWebhook(ctx.tx, present.id, changes);
  await recordWebhook(ctx, present, "rotated");
  return { ...present, ...changes };
}

import type { Ctx } from "../../../kernel/ctx.ts";
import { Fault } from "../../../platform/errors.ts";
import type { Sealing } from "../ports.ts";
import { assertMayRead } from "./consent-rights.ts";
import { getForUpdate, recordWebhook } from "./endpoints.ts";
import { type Secrets, rotateKey, rotateSecret, toOutgoing, toOutgoingKeys } from "./signing.ts";
import { type Endpoint, updateEndpoint } from "./store.ts";

const OVERLAP_HOURS = 24;
/** Limit of earlier secrets, and of earlier keys, in force at once. */
const OUTGOING_MAX = 4;
const HOUR_MS = 3_600_000;

interface Rotation {
  id: string;
  part: "secret" | "key";
  overlapHours?: number | undefined;
}

/**
 * Rotates the secret or the Ed25519 key of an endpoint; earlier ones sign until their ends.
 * @throws Fault not-found; conflict where five sign already; forbidden where an API key that may not read the
 *   endpoint's consents asks for its secret
 */
export async function rotate(
  ctx: Ctx,
  sealing: Sealing,
  { id, part, overlapHours = OVERLAP_HOURS }: Rotation,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const present = await getForUpdate(ctx, { id });
  const isSecret = part === "secret";
  // The public half of a key reveals nothing.
  if (isSecret) assertMayRead(ctx.actor, present.events);
  const before = sealing.unseal<Secrets>(present.secrets);
  const outgoing = (isSecret ? toOutgoing : toOutgoingKeys)(before, ctx.now);
  if (overlapHours > 0 && outgoing.length >= OUTGOING_MAX)
    throw new Fault(
      "conflict",
      `${OUTGOING_MAX + 1} ${part}s are in use already. Wait until one has expired, or end the earlier ones with overlapHours 0.`,
    );
  const until = new Date(ctx.now.getTime() + overlapHours * HOUR_MS);
  const secrets = (isSecret ? rotateSecret : rotateKey)(before, { now: ctx.now, until });
  const endpoint = await updateEndpoint(ctx.tx, id, {
    secrets: sealing.seal(secrets),
    version: present.version + 1,
    updated_at: ctx.now,
  });
  await recordWebhook(ctx, endpoint, "rotated");
  return { endpoint, secret: secrets.hmac };
}

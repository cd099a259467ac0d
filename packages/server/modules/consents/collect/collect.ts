import { Fault } from "../../../platform/errors.ts";
import type { Misses } from "../../../platform/queues/misses.ts";
import type { OpenRate } from "../../../platform/queues/rate.ts";
import type { Regions } from "../../../platform/regions/regions.ts";
import type { Displays } from "../displays/displays.ts";
import type { Steps } from "../displays/steps.ts";
import type { LiveOffers } from "../offers/live-offers.ts";
import type { OfferedConfiguration } from "../offers/offered.ts";
import type { ConsentsPorts } from "../ports.ts";
import { toAnswer } from "../records/answer.ts";
import type { ConsentIn } from "@avow/contract/consents";
import type { Collector } from "./collector.ts";
import { countAnswer } from "./count-answer.ts";
import { type CollectedConsent, toIdempotencyKey, toPending } from "./pending.ts";
import { readDisplay } from "./redeemable-tickets.ts";
import type { Sender } from "./sender.ts";

/** Dependencies of collection, and of reading single records. */
export interface ConsentsApp extends Pick<
  ConsentsPorts,
  "db" | "buckets" | "now" | "publicUrl" | "tickets"
> {
  live: LiveOffers;
  collector: Pick<Collector, "collect">;
  steps: Steps;
  displays: Displays;
  misses: Misses;
  openRate: OpenRate;
  regions: Regions;
}

/** Dependencies of collecting a consent. */
export interface CollectApp extends Pick<ConsentsApp, "live" | "collector" | "tickets" | "now"> {
  displays: Pick<Displays, "noteAnswer">;
}

/**
 * Stores an answer of a visitor, and the resulting consent state.
 * @throws Fault not-found without the project or the configuration in this collection; invalid for errors
 *   that the schema cannot express; busy when too many consents are pending; impossible for a key that was
 *   used for another consent
 */
export async function collectConsent(
  app: CollectApp,
  given: {
    projectId: string;
    collection: string;
    identifier: string;
    sender: Sender;
    body: ConsentIn;
    idempotencyKey: string | undefined;
    sizeBytes: number;
  },
): Promise<CollectedConsent> {
  const { projectId, identifier, collection, body, sender, idempotencyKey, sizeBytes } = given;
  const answer = toAnswer(body);
  const configuration = assertOffered(
    app.live.peek(projectId, identifier) ??
      (await app.live.getOffered(projectId, [identifier])).get(identifier),
    { collection, identifier },
  );
  const { ticketOrigin: origin } = sender;
  const display = await readDisplay(app, body, { projectId, origin, answered: configuration });
  const key =
    idempotencyKey === undefined
      ? undefined
      : toIdempotencyKey(idempotencyKey, [collection, identifier, body]);
  const more = { projectId, configuration, sender, key, sizeBytes, ...display };
  const pending = toPending(answer, more, app.now());
  const collected = await app.collector.collect(pending);
  countAnswer(app.displays, pending, collected);
  return collected;
}

/** Asserts that the configuration exists in this collection. Throws `Fault` (not-found). */
export function assertOffered(
  configuration: OfferedConfiguration | undefined,
  { collection, identifier }: { collection: string; identifier: string },
): OfferedConfiguration {
  if (configuration?.collection === collection) return configuration;
  throw new Fault("not-found", `The project has no ${identifier} in its ${collection}.`);
}

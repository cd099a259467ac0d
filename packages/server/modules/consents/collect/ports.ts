import type { Db } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import type { Collector } from "./collector.ts";
import type { LiveOffers } from "../offers/live-offers.ts";
import type { OfferedConfiguration } from "../offers/offered.ts";
import { type Collected, type ConsentKey, toPending } from "./pending.ts";
import { toAnswer } from "../records/record-body.ts";
import type { ConsentIn } from "@avow/contract/consents";
import { type Sender, toTicketOrigin } from "./sender.ts";
import { readDisplay } from "./redeemable-tickets.ts";
import type { Displays } from "../displays/displays.ts";
import type { Steps } from "../displays/steps.ts";
import type { Tickets } from "../displays/tickets.ts";

/** What the routes of /app need. */
export interface ConsentsApp {
  db: Db;
  now: () => Date;
  publicUrl: string;
  live: LiveOffers;
  collector: Pick<Collector, "collect">;
  tickets: Tickets;
  steps: Steps;
  displays: Displays;
}

/**
 * Keeps one answer of a visitor, and what it changes.
 * @throws Fault not-found when the project or its configuration is not there, or is of another
 *   collection; invalid for a body that its schema could not refuse; busy when too many wait;
 *   impossible for a key that was used for another consent
 */
export async function collectConsent(
  app: Pick<ConsentsApp, "live" | "collector" | "tickets" | "now">,
  given: {
    projectId: string;
    collection: string;
    identifier: string;
    sender: Sender;
    body: ConsentIn;
    key: ConsentKey | undefined;
    sizeBytes: number;
  },
): Promise<Collected> {
  const { collector, now } = app;
  const { projectId, identifier, collection, body, sender, key, sizeBytes } = given;
  const answer = toAnswer(body);
  const configuration =
    app.live.peek(projectId, identifier) ??
    (await app.live.getOffered(projectId, [identifier])).get(identifier);
  const offered = assertOffered(configuration, { collection, identifier });
  const asked = { projectId, origin: toTicketOrigin(sender), answered: offered };
  const read = await readDisplay(app, body, asked);
  const more = { projectId, configuration: offered, sender, key, sizeBytes, ...read };
  return collector.collect(toPending(answer, more, now()));
}

/** The configuration that an answer names, of the right collection. Throws `Fault` (not-found). */
export function assertOffered(
  configuration: OfferedConfiguration | undefined,
  { collection, identifier }: { collection: string; identifier: string },
): OfferedConfiguration {
  if (configuration?.collection === collection) return configuration;
  throw new Fault(
    "not-found",
    `The project has nothing named ${identifier} among its ${collection}.`,
  );
}

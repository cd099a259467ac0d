import type { Actor } from "../../../kernel/actor.ts";
import { Fault } from "../../../platform/errors.ts";
import { toShortNetwork } from "../../../platform/networks.ts";
import { openRate } from "../../../platform/queues/rate.ts";

const RETRY_SECONDS = 60;
/** The widget asks what was answered at each load of a page after its visitor was on their own. */
const READS_FOR_LINK = 10;

/** Who asks, and from where. */
interface Asking {
  actor: Actor;
  ip: string;
}

/** How often visitors of one network, who have no more than a token, may ask; access tokens are not counted. */
export interface Visitors {
  /** @throws Fault too-many; forbidden where the operator lets no visitor ask */
  assertMayLink(asking: Asking): void;
  /** @throws Fault too-many; forbidden where the operator lets no visitor ask */
  assertMayRead(asking: Asking): void;
}

/** Opens the limits of visitors, in this process: so many links in a minute, and ten times as many reads. */
export function openVisitors(linksPerMinuteMax: number): Visitors {
  return {
    assertMayLink: toAssertion(linksPerMinuteMax),
    assertMayRead: toAssertion(linksPerMinuteMax * READS_FOR_LINK),
  };
}

function toAssertion(max: number): Visitors["assertMayLink"] {
  const rate = openRate(max);
  return ({ actor, ip }) => {
    if (actor.kind === "user") return;
    if (max === 0) throw new Fault("forbidden", "This service gives links to access tokens alone.");
    if (rate.take(toShortNetwork(ip) ?? "")) return;
    const message = `Too much was asked from this network. Wait ${RETRY_SECONDS} seconds.`;
    throw new Fault("too-many", message, { retryAfterSeconds: RETRY_SECONDS });
  };
}

import type { Actor } from "../../../kernel/actor.ts";
import { Fault } from "../../../platform/errors.ts";
import { toShortNetwork } from "../../../platform/networks.ts";
import type { OpenRate, Rate } from "../../../platform/queues/rate.ts";

const RETRY_SECONDS = 60;
/** After a visitor was on their page, the widget reads the answers at each page load. */
const READS_PER_LINK = 10;

interface Caller {
  actor: Actor;
  ip: string;
}

/** Rate limits of visitors, who have only a token, per network. Requests with access tokens are not limited. */
export interface Visitors {
  /** @throws Fault too-many; forbidden if the operator allows no requests of visitors */
  assertMayLink(caller: Caller): void;
  /** @throws Fault too-many; forbidden if the operator allows no requests of visitors */
  assertMayRead(caller: Caller): void;
}

/** Opens the limits: `linksPerMinuteMax` links per minute, and ten times as many reads. */
export function openVisitors(openRate: OpenRate, linksPerMinuteMax: number): Visitors {
  const readsMax = linksPerMinuteMax * READS_PER_LINK;
  return {
    assertMayLink: toAssertion(openRate("visitor links", linksPerMinuteMax), linksPerMinuteMax),
    assertMayRead: toAssertion(openRate("visitor reads", readsMax), readsMax),
  };
}

function toAssertion(rate: Rate, max: number): Visitors["assertMayLink"] {
  return ({ actor, ip }) => {
    if (actor.kind === "user") return;
    if (max === 0)
      throw new Fault("forbidden", "This service requires an access token for this request.");
    if (rate.take(toShortNetwork(ip) ?? "")) return;
    const message = `Too many requests from this network. Retry in ${RETRY_SECONDS} seconds.`;
    throw new Fault("too-many", message, { retryAfterSeconds: RETRY_SECONDS });
  };
}

import type { HeldBytes } from "./held-bytes.ts";
import type { ByKind } from "./kinds.ts";
import type { Held, Lane, Room } from "./lanes-store.ts";

/**
 * Lanes that one node serves at a time; slow, failing and new ones have places of their own. One that waits for an
 * answer for longer than a second needs no place any more.
 */
const PLACES: ByKind = { usual: 128, poor: 64 };
/** With those that wait. What is taken last are places of usual ones. */
const OPEN_MAX: ByKind = { usual: 1_024, poor: 512 };
/** Of one maker, with those that wait: nobody has all places. */
const MAKER_MAX: ByKind = { usual: 96, poor: 48 };
/** Of each kind taken at a time, so that nodes which have less to do get some. */
export const CLAIM_MAX = 32;
/** Where there is no room for even a short body nothing is taken: another node may have it. */
const BODY_BYTES = 4 * 1024;

/** A lane that is being served. */
export interface Open {
  lane: Lane;
  maker: string;
  /** A request of it has not been answered for a second. */
  isWaiting: boolean;
  served: Promise<void>;
}

function isKind({ lane }: Open, kind: keyof ByKind): boolean {
  return lane.isPoor === (kind === "poor");
}

/** How many lanes of a kind may be taken, beside those that are open. */
function toMax(open: readonly Open[], kind: keyof ByKind, held: HeldBytes): number {
  if (!held.hasRoom(kind, BODY_BYTES)) return 0;
  const taken = open.filter((one) => isKind(one, kind) && !one.isWaiting).length;
  return Math.max(0, Math.min(CLAIM_MAX, PLACES[kind] - taken, OPEN_MAX[kind] - open.length));
}

/** Who has no room for a body has no place either. */
function toHeld(open: readonly Open[], held: HeldBytes): Held[] {
  return [...Map.groupBy(open, ({ maker }) => maker)].map(([maker, own]) => {
    const count = (kind: keyof ByKind): number => {
      if (!held.hasOwnRoom({ maker, kind }, BODY_BYTES)) return MAKER_MAX[kind];
      return own.filter((one) => isKind(one, kind)).length;
    };
    return { maker, poor: count("poor"), usual: count("usual") };
  });
}

/** What of lanes a node may take beside those that it has open. */
export function toRoom(open: readonly Open[], held: HeldBytes): Room {
  const max = { usual: toMax(open, "usual", held), poor: toMax(open, "poor", held) };
  return { max, makerMax: MAKER_MAX, held: toHeld(open, held) };
}

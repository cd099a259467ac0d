import type { ByKind, Held, Lane, Room } from "./lanes-store.ts";

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
function toMax(open: readonly Open[], kind: keyof ByKind): number {
  const taken = open.filter((one) => isKind(one, kind) && !one.isWaiting).length;
  return Math.max(0, Math.min(CLAIM_MAX, PLACES[kind] - taken, OPEN_MAX[kind] - open.length));
}

function toHeld(open: readonly Open[]): Held[] {
  return [...Map.groupBy(open, ({ maker }) => maker)].map(([maker, own]) => {
    const poor = own.filter((one) => isKind(one, "poor")).length;
    return { maker, poor, usual: own.length - poor };
  });
}

/** What of lanes a node may take beside those that it has open. */
export function toRoom(open: readonly Open[]): Room {
  const max = { usual: toMax(open, "usual"), poor: toMax(open, "poor") };
  return { max, makerMax: MAKER_MAX, held: toHeld(open) };
}

import type { ByKind } from "./kinds.ts";

/** For whose webhook something is held, and in which places its lane is. */
export interface Share {
  maker: string;
  kind: keyof ByKind;
}

/**
 * How many bytes this node holds of what was read to be sent, and of answers that are not kept yet. Slow, failing and
 * new lanes have a third of them, one maker has an eighth of either, and what is long three quarters of each: what
 * hangs takes nothing from the others, and what is long nothing from what is short.
 */
export interface HeldBytes {
  /** Whether the kind has room for so many more; what is longer than all of it goes alone. */
  hasRoom: (kind: keyof ByKind, bytes: number) => boolean;
  /** Whether the maker has. */
  hasOwnRoom: (share: Share, bytes: number) => boolean;
  /** Counts so many more, or fewer. */
  add: (share: Share, bytes: number) => void;
  readings: readonly { name: string; help: string; read: () => number }[];
}

const POOR_PARTS = 3;
const MAKER_PARTS = 8;
/** Nearly all bodies are shorter than that. */
const SHORT_BYTES_MAX = 6 * 1024;
const LONG_PARTS = 0.75;

/** Whether something is of those that have room for themselves. */
export function isShort(bytes: number): boolean {
  return bytes <= SHORT_BYTES_MAX;
}

/** Of some room, what there is for something so long. */
function toRoomFor(bytes: number, max: number): number {
  return isShort(bytes) ? max : max * LONG_PARTS;
}

/** Opens the count. */
export function openHeldBytes(bytesMax: number): HeldBytes {
  const poor = Math.floor(bytesMax / POOR_PARTS);
  const max: ByKind = { usual: bytesMax - poor, poor };
  const held: ByKind = { usual: 0, poor: 0 };
  const own = { usual: new Map<string, number>(), poor: new Map<string, number>() };
  const ownOf = ({ kind, maker }: Share) => own[kind].get(maker) ?? 0;
  return {
    hasRoom: (kind, bytes) => held[kind] === 0 || held[kind] + bytes <= toRoomFor(bytes, max[kind]),
    hasOwnRoom: (share, bytes) =>
      ownOf(share) === 0 || ownOf(share) + bytes <= toRoomFor(bytes, max[share.kind] / MAKER_PARTS),
    add(share, bytes) {
      const { kind, maker } = share;
      held[kind] += bytes;
      const left = ownOf(share) + bytes;
      if (left > 0) own[kind].set(maker, left);
      else own[kind].delete(maker);
    },
    readings: [
      {
        name: "avow_webhook_held_bytes",
        help: "Bytes read to be sent to webhooks, and of their answers, that are held in memory.",
        read: () => held.usual + held.poor,
      },
    ],
  };
}

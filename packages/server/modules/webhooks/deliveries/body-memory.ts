import type { BodyMemory } from "../ports.ts";
import { BEGINNING_BYTES } from "./request.ts";

/** Nearly all bodies are shorter. */
const SHORT_BYTES_MAX = 6 * 1024;
/** Share of memory reserved for long bodies, so that their receivers cannot delay short ones. */
const LONG_SHARE = 1 / 4;
/** Share of one creator's bodies, so that one creator's hanging receivers do not delay those of others. */
const CREATOR_SHARE = 1 / 8;
/** Share above which responses are truncated, so that they cannot delay bodies. */
const RESPONSE_SHARE = 3 / 4;

/** Opens the count of WEBHOOKS_BYTES_MAX. A body longer than a share is sent while no other of that share is held. */
export function openBodyMemory(bytesMax: number): BodyMemory {
  let total = 0;
  let long = 0;
  const ofCreators = new Map<string, number>();
  return {
    isFull: () => total > 0 && total + SHORT_BYTES_MAX > bytesMax,
    reserve(creator, bytes) {
      const isLong = bytes > SHORT_BYTES_MAX;
      const held = ofCreators.get(creator) ?? 0;
      if (total > 0 && total + bytes > bytesMax) return undefined;
      if (held > 0 && held + bytes > bytesMax * CREATOR_SHARE) return undefined;
      if (isLong && long > 0 && long + bytes > bytesMax * LONG_SHARE) return undefined;
      let own = 0;
      const add = (more: number): void => {
        own += more;
        total += more;
        if (isLong) long += more;
        const left = (ofCreators.get(creator) ?? 0) + more;
        if (left > 0) ofCreators.set(creator, left);
        else ofCreators.delete(creator);
      };
      add(bytes);
      let responseBytes = 0;
      return {
        settle: (exact) => add(exact - bytes),
        keep(more) {
          const free = Math.floor(bytesMax * RESPONSE_SHARE) - total;
          const kept = Math.min(more, Math.max(0, free, BEGINNING_BYTES - responseBytes));
          responseBytes += kept;
          add(kept);
          return kept;
        },
        [Symbol.dispose]: () => add(-own),
      };
    },
    readings: [
      {
        name: "avow_webhook_held_bytes",
        help: "Bytes of webhook deliveries in flight, and of their responses, in memory.",
        read: () => total,
      },
    ],
  };
}

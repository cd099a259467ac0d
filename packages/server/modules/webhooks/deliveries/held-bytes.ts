import type { HeldBytes } from "../ports.ts";
import { BEGINNING_BYTES } from "./request.ts";

/** Nearly all bodies are shorter. */
const SHORT_BYTES_MAX = 6 * 1024;
/** Share of the memory for longer bodies, so that receivers of these cannot delay short ones. */
const LONG_SHARE = 1 / 4;
/** Share beyond which answers are cut, so that they cannot delay bodies. */
const ANSWER_SHARE = 3 / 4;

/** Opens the count of WEBHOOKS_BYTES_MAX. A body longer than its share is sent while no other is held. */
export function openHeldBytes(bytesMax: number): HeldBytes {
  let total = 0;
  let long = 0;
  return {
    reserve(bytes) {
      const isLong = bytes > SHORT_BYTES_MAX;
      if (total > 0 && total + bytes > bytesMax) return undefined;
      if (isLong && long > 0 && long + bytes > bytesMax * LONG_SHARE) return undefined;
      let own = 0;
      const add = (more: number): void => {
        own += more;
        total += more;
        if (isLong) long += more;
      };
      add(bytes);
      let answerBytes = 0;
      return {
        settle: (exact) => add(exact - bytes),
        keep(more) {
          const free = Math.floor(bytesMax * ANSWER_SHARE) - total;
          const kept = Math.min(more, Math.max(0, free, BEGINNING_BYTES - answerBytes));
          answerBytes += kept;
          add(kept);
          return kept;
        },
        [Symbol.dispose]: () => add(-own),
      };
    },
    readings: [
      {
        name: "avow_webhook_held_bytes",
        help: "Bytes of webhook deliveries in flight, and of their answers, in memory.",
        read: () => total,
      },
    ],
  };
}

const SLOT_MS = 15 * 60_000;

/** The start of the quarter of an hour of an instant: the resolution of counts. */
export function toSlot(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / SLOT_MS) * SLOT_MS);
}

const SLOT_MS = 15 * 60_000;

/** The beginning of the quarter of an hour that an instant lies in: what counts are added up by. */
export function toSlot(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / SLOT_MS) * SLOT_MS);
}

const SLOT_MS = 15 * 60_000;

/** The start of the quarter of an hour of an instant: the resolution of counts. */
export function toSlot(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / SLOT_MS) * SLOT_MS);
}

/** The first start of a quarter of an hour at or after an instant. */
export function toNextSlot(instant: Date): Date {
  return new Date(Math.ceil(instant.getTime() / SLOT_MS) * SLOT_MS);
}

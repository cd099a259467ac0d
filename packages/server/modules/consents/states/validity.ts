import { expiryOf } from "./states.ts";

/** A record with the days until each of its answers expires; null: never. */
export interface RecordValidity {
  id: string;
  days: ReadonlyMap<string, number | null>;
}

/** Stand-in item of a record without answers, which is in force until the next record. No item has this name. */
const NOTHING = "\0";
const nothing: RecordValidity["days"] = new Map([[NOTHING, null]]);

/**
 * Finds the records of one token and configuration that are out of force at `instant`: all of their answers were
 * given again or have expired. Add all records from before the instant, in the order of ids; later ones have no effect
 * at that time.
 */
export function trackValidity(instant: Date): {
  add: (record: RecordValidity) => void;
  end: () => readonly string[];
} {
  const holders = new Map<string, { consentId: string; days: number | null }>();
  /** Number of answers in force, by record. */
  const counts = new Map<string, number>();
  const ended: string[] = [];
  const release = (item: string): void => {
    const holder = holders.get(item);
    if (!holder) return;
    holders.delete(item);
    const left = (counts.get(holder.consentId) ?? 0) - 1;
    counts.set(holder.consentId, left);
    if (left > 0) return;
    counts.delete(holder.consentId);
    ended.push(holder.consentId);
  };
  return {
    add({ id, days }) {
      const items = days.size > 0 ? days : nothing;
      release(NOTHING);
      for (const [item, length] of items) {
        release(item);
        holders.set(item, { consentId: id, days: length });
      }
      counts.set(id, items.size);
    },
    end() {
      for (const [item, holder] of holders) {
        const expiry = expiryOf(holder);
        if (expiry && expiry <= instant) release(item);
      }
      return ended;
    },
  };
}

/** The start (UTC) of the day that is this number of calendar months before the instant. */
export function monthsBefore(instant: Date, months: number): Date {
  const [year, month] = [instant.getUTCFullYear(), instant.getUTCMonth() - months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(instant.getUTCDate(), lastDay)));
}

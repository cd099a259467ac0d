import { expiryOf } from "./states.ts";

/** A record by what it answers: how many days the answer to each item lasts; null: for ever. */
export interface RecordValidity {
  id: string;
  days: ReadonlyMap<string, number | null>;
}

/** What a record holds that answers nothing: it is in force until there is another. No item is named so. */
const NOTHING = "\0";
const nothing: RecordValidity["days"] = new Map([[NOTHING, null]]);

/**
 * Finds the records of one token and configuration that are out of force at `instant`: each of their
 * answers was given anew, or has expired. Records are added in the order of their ids, all of those from
 * before the instant; what was answered later ends nothing that early.
 */
export function trackValidity(instant: Date): {
  add: (record: RecordValidity) => void;
  end: () => readonly string[];
} {
  const holders = new Map<string, { consentId: string; days: number | null }>();
  /** How many answers of a record are in force. */
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

/** The instant so many calendar months before another, at the beginning of its day (UTC). */
export function monthsBefore(instant: Date, months: number): Date {
  const [year, month] = [instant.getUTCFullYear(), instant.getUTCMonth() - months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(instant.getUTCDate(), lastDay)));
}

import type { Db, Tx } from "../../platform/db/db.ts";
import { toConsent } from "./consent-out.ts";
import { toKeptRecord } from "./records.ts";
import type { ConsentOut } from "./schema.ts";
import { type ToldRow, listToldRows } from "./told-store.ts";

/** A consent as others are told of it. */
export interface ToldConsent {
  consent: ConsentOut;
  /** Whether something that was accepted before is refused with it. */
  isWithdrawal: boolean;
}

/**
 * The consents with these keys, in no order. Those that were erased are missing, and those that an import
 * brought: they happened elsewhere, and somebody knew of them.
 */
export async function listToldConsents(
  db: Db | Tx,
  keys: readonly { projectId: string; consentId: string }[],
  publicUrl: string,
): Promise<ToldConsent[]> {
  if (keys.length === 0) return [];
  const projectIds = keys.map(({ projectId }) => projectId);
  const ids = keys.map(({ consentId }) => consentId);
  const rows = await listToldRows(db, projectIds, ids);
  return rows.map((row) => ({
    consent: toConsent(toKeptRecord(row), publicUrl),
    isWithdrawal: isWithdrawal(row),
  }));
}

/** An answer is a withdrawal where its run, the first after an accepted one, began with this record. */
function isWithdrawal(row: ToldRow): boolean {
  const at = row.created_at.getTime();
  const items = Object.values(row.state_items ?? {});
  if (items.length > 0)
    return items.some(
      ({ answer, since, consentId }) =>
        answer === "withdrawn" && consentId === row.id && new Date(since).getTime() === at,
    );
  if (row.state_since?.getTime() !== at) return false;
  return Object.values(row.choice_items ?? {}).some(({ answer }) => answer === "withdrawn");
}

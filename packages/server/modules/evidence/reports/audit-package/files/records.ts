import {
  type RecordedRow,
  listAnswersAt,
  listRecorded,
} from "../../../../consents/commitments/recorded.ts";
import { isCommitted } from "../../../proofs/committed.ts";
import type { ItemStates } from "../../statement/choices.ts";
import { type EvidenceApp, type Place, openTiles } from "../../../proofs/prover.ts";
import type { RecordedConsent } from "@avow/contract/record";
import { listPlaces } from "../../../log/store.ts";
import type { Survey } from "../select/survey.ts";

/** Records in memory at once: each may have 100 KiB. */
const PAGE = 40;

/** A consent of a dossier. */
export interface DossierRecord {
  row: RecordedRow;
  /** As it was committed to. */
  record: RecordedConsent;
  /** False where the log has another entry at its place: it was changed since. */
  isProven: boolean;
  /** What the items added up to with it, by the service's register: it tells withdrawals from refusals. */
  states: ItemStates;
  /** Undefined while it waits for its place in the log. */
  place: Place | undefined;
}

/**
 * The consents of a dossier, oldest first, page by page.
 * @throws Error where one is not there any more: it was erased since, and the dossier would not be whole
 */
export async function* readRecords(
  { db }: Pick<EvidenceApp, "db">,
  { projectId, ids }: { projectId: string; ids: readonly string[] },
  { prover, pending }: Survey,
): AsyncGenerator<DossierRecord[]> {
  const read = openTiles(db);
  for (let at = 0; at < ids.length; at += PAGE) {
    const here = ids.slice(at, at + PAGE);
    const found = await listRecorded(
      db,
      here.map(() => projectId),
      here,
    );
    const rows = new Map(found.map((row) => [row.id, row]));
    const places = await listPlaces(db, projectId, here);
    const states = await listAnswersAt(db, projectId, found);
    const page: DossierRecord[] = [];
    for (const id of here) {
      const row = rows.get(id);
      const place = pending.has(id) ? undefined : places.get(id);
      if (!row || (!place && !pending.has(id)))
        throw new Error(`Consent ${id} was taken away while a dossier of it was written.`);
      const record = await prover.readRecord(row);
      const isProven = place === undefined || (await isCommitted(read, record, place));
      page.push({ row, record, place, isProven, states: states.get(id) ?? {} });
    }
    yield page;
  }
}

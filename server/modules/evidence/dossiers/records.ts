import { listRecorded } from "../../consents/recorded.ts";
import type { RecordedRow } from "../../consents/recorded.ts";
import type { EvidenceApp, Place } from "../prover.ts";
import type { Committed } from "../record.ts";
import { listPlaces } from "../store.ts";
import type { Survey } from "./survey.ts";

/** Records in memory at once: each may have 100 KiB. */
const PAGE = 40;

/** A consent of a dossier. */
export interface DossierRecord {
  row: RecordedRow;
  /** As it was committed to. */
  record: Committed;
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
  for (let at = 0; at < ids.length; at += PAGE) {
    const here = ids.slice(at, at + PAGE);
    const found = await listRecorded(
      db,
      here.map(() => projectId),
      here,
    );
    const rows = new Map(found.map((row) => [row.id, row]));
    const places = await listPlaces(db, projectId, here);
    const page: DossierRecord[] = [];
    for (const id of here) {
      const row = rows.get(id);
      const place = pending.has(id) ? undefined : places.get(id);
      if (!row || (!place && !pending.has(id)))
        throw new Error(`Consent ${id} was taken away while a dossier of it was written.`);
      page.push({ row, record: await prover.readRecord(row), place });
    }
    yield page;
  }
}

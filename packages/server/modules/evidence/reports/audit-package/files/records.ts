import {
  type RecordedRow,
  listAnswersAt,
  listRecorded,
} from "../../../../consents/commitments/recorded.ts";
import { isCommitted } from "../../../proofs/committed.ts";
import type { ItemStates } from "../../statement/answers.ts";
import { type EvidenceApp, type CommittedLeaf, openTiles } from "../../../proofs/prover.ts";
import type { RecordedConsent } from "@avow/contract/record";
import { listLeaves } from "../../../log/store.ts";
import type { Survey } from "../select/survey.ts";

/** Records in memory at a time: each may have 100 KiB. */
const PAGE = 40;

/** A consent of an audit package. */
export interface PackageRecord {
  row: RecordedRow;
  /** The record that the log commits to. */
  record: RecordedConsent;
  /** False if it does not match its log entry, since it was changed. */
  isProven: boolean;
  /** The states of its items after it, which distinguish withdrawals from refusals. */
  states: ItemStates;
  /** Undefined until it is in the log. */
  place: CommittedLeaf | undefined;
}

/**
 * The consents of an audit package, oldest first, in pages.
 * @throws Error if one was erased since it was selected: the package would be incomplete
 */
export async function* readRecords(
  { data }: Pick<EvidenceApp, "data">,
  { projectId, ids }: { projectId: string; ids: readonly string[] },
  { prover, pending }: Survey,
): AsyncGenerator<PackageRecord[]> {
  const read = openTiles(data);
  for (let at = 0; at < ids.length; at += PAGE) {
    const here = ids.slice(at, at + PAGE);
    const found = await listRecorded(
      data,
      here.map(() => projectId),
      here,
    );
    const rows = new Map(found.map((row) => [row.id, row]));
    const leaves = await listLeaves(data, projectId, here);
    const states = await listAnswersAt(data, projectId, found);
    const page: PackageRecord[] = [];
    for (const id of here) {
      const row = rows.get(id);
      const place = pending.has(id) ? undefined : leaves.get(id);
      if (!row || (!place && !pending.has(id)))
        throw new Error(`Consent ${id} was erased while an audit package with it was written.`);
      const record = await prover.readRecord(row);
      const isProven = place === undefined || (await isCommitted(read, record, place));
      page.push({ row, record, place, isProven, states: states.get(id) ?? {} });
    }
    yield page;
  }
}

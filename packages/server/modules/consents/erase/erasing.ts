import type { DataCtx } from "../../../kernel/ctx.ts";
import type { DataTx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { deleteUnusedChoices } from "../states/answer-combinations-store.ts";
import {
  type NamedChoice,
  deleteExportsOf,
  deletePastStates,
  deleteRecords,
  deleteStates,
  deleteTraces,
  listTokenIds,
} from "./erasing-store.ts";
import { eraseArchived, hasArchived, listKeysOfTokens } from "../archive/archived.ts";
import { deleteLinksOf } from "../links/links-store.ts";
import { deleteProposalOf } from "./proposals-store.ts";
import { deleteRequestOf } from "./requests-store.ts";
import type { Forget } from "../ports.ts";
import { lockErasing } from "../states/rebuild-store.ts";
import { type TokenKey, lockTokenErasing, lockTokenStates } from "../states/token-locks-store.ts";

/** Batch size of a statement. */
const PAGE = 5_000;
/** Limit of rounds; another round is needed when a record is written during the previous one. */
const ROUNDS_MAX = 20;

/**
 * Erases all data of a token: records, states, idempotency keys, the log's queue, exports that filter by it, links, its
 * request for erasure and the proposal to erase it, and answer combinations without other references. Returns the number of records. A consent that is written concurrently
 * is either erased completely or kept completely.
 * @throws Fault not-found without any data of the token, busy while consents keep arriving for it
 */
export async function eraseTokenRecords(
  { tx }: DataCtx,
  of: TokenKey,
  forget: Forget,
): Promise<number> {
  const { projectId, token } = of;
  await lockTokenErasing(tx, of);
  await lockErasing(tx, projectId);
  const ids = await eraseArchivedToken(tx, of);
  const named: NamedChoice[] = [];
  let isFound = false;
  for (let round = 1; await eraseRound(tx, of, { ids, named }); round += 1) {
    isFound = true;
    if (round === ROUNDS_MAX)
      throw new Fault("busy", "New consents keep arriving for this token. Retry in a second.", {
        retryAfterSeconds: 1,
      });
  }
  if (!isFound) throw new Fault("not-found", `The project has no data of the token ${token}.`);
  await forgetRecords(tx, { projectId, ids, named }, forget);
  await deleteExportsOf(tx, of);
  await deleteLinksOf(tx, of);
  await deleteRequestOf(tx, of);
  await deleteProposalOf(tx, of);
  return ids.length;
}

/** Erases the archived records of a token, which its states name. Files do not change while erasures are excluded. */
async function eraseArchivedToken(tx: DataTx, { projectId, token }: TokenKey): Promise<string[]> {
  if (!(await hasArchived(tx, projectId))) return [];
  const keys = await listKeysOfTokens(tx, projectId, [token]);
  return eraseArchived(
    tx,
    projectId,
    keys.map(({ id }) => id),
  );
}

/**
 * Deletes the visible records and states of the token. Records first, to lock the states as briefly as possible. Returns
 * whether it found any: a record may be written between the two steps, so the erasure is complete when a round finds
 * none.
 */
async function eraseRound(
  tx: DataTx,
  of: TokenKey,
  { ids, named }: { ids: string[]; named: NamedChoice[] },
): Promise<boolean> {
  let count = 0;
  const eraseRows = async (): Promise<void> => {
    for (let found = PAGE; found === PAGE;) {
      const page = await listTokenIds(tx, of, PAGE);
      found = page.length;
      const gone = found > 0 ? await deleteRecords(tx, of.projectId, page) : [];
      for (const { id, ...row } of gone) {
        ids.push(id);
        named.push(row);
      }
      // Retention may have erased some of them in the meantime.
      count += gone.length;
    }
    for (let found = PAGE; found === PAGE;) {
      const gone = await deletePastStates(tx, of, PAGE);
      found = gone.count;
      named.push(...gone.named);
      count += found;
    }
  };
  await eraseRows();
  await lockTokenStates(tx, of);
  await eraseRows();
  const states = await deleteStates(tx, of);
  named.push(...states);
  return count + states.length > 0;
}

/** Deletes other data about erased records; `named` are the combinations that they and their states referenced. */
export async function forgetRecords(
  tx: DataTx,
  {
    projectId,
    ids,
    named,
  }: { projectId: string; ids: readonly string[]; named: readonly NamedChoice[] },
  forget: Forget,
): Promise<void> {
  for (let at = 0; at < ids.length; at += PAGE) {
    const page = ids.slice(at, at + PAGE);
    await deleteTraces(tx, projectId, page);
    await forget(tx, projectId, page);
  }
  const choices = new Map<string, { identifier: string; choice: number }>();
  for (const { identifier, choice } of named)
    if (choice !== null) choices.set(`${choice} ${identifier}`, { identifier, choice });
  if (choices.size > 0) await deleteUnusedChoices(tx, projectId, [...choices.values()]);
}

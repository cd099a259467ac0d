import type { Ctx } from "../../../kernel/ctx.ts";
import type { Tx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { getProject } from "../../vault/documents/access.ts";
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
import { deleteLinksOf } from "../links/links-store.ts";
import type { Forget } from "../ports.ts";
import { lockErasing } from "../states/rebuild-store.ts";
import { type TokenKey, lockTokenErasing, lockTokenStates } from "../states/token-locks-store.ts";

/** Rows erased by one statement. */
const PAGE = 5_000;
/** Limit of rounds, each of which follows a record that was written during the one before. */
const ROUNDS_MAX = 20;

/**
 * Erases all that is kept of a token: records, states, the keys that they came under, what waits for the
 * log, exports that name it, and combinations of answers that nobody else gave. Answers how many records
 * there were. What is written of the token at the same moment is erased whole, or stays whole.
 * @throws Fault not-found without the project or anything of the token, forbidden for who does not own
 *   the project, busy while others write of the token without end
 */
export async function eraseTokenRecords(
  { tx, scope }: Ctx,
  of: TokenKey,
  forget: Forget,
): Promise<number> {
  const { projectId, token } = of;
  await getProject(tx, scope, projectId);
  await lockTokenErasing(tx, of);
  await lockErasing(tx, projectId);
  const ids: string[] = [];
  const named: NamedChoice[] = [];
  let isFound = false;
  for (let round = 1; await eraseRound(tx, of, { ids, named }); round += 1) {
    isFound = true;
    if (round === ROUNDS_MAX)
      throw new Fault("busy", "The token goes on to be answered for.", { retryAfterSeconds: 1 });
  }
  if (!isFound) throw new Fault("not-found", `The project has nothing of the token ${token}.`);
  await forgetRecords(tx, { projectId, ids, named }, forget);
  await deleteExportsOf(tx, of);
  await deleteLinksOf(tx, of);
  return ids.length;
}

/**
 * Erases the records and states of the token that can be seen. Records first: the states are locked for
 * as short as can be. Answers whether there was anything, since a record may have come between the two:
 * when a round finds nothing, nothing is half there.
 */
async function eraseRound(
  tx: Tx,
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

/** Deletes the traces of erased records; `named` are the combinations that they and their states named. */
export async function forgetRecords(
  tx: Tx,
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

import type { Db, Tx } from "../../platform/db/db.ts";
import { codeOf } from "../../platform/errors.ts";
import { type Choices, openChoices } from "./choices.ts";
import { toPastRow, toStateRow } from "./group-rows.ts";
import {
  type Ledger,
  foldLedgers,
  isSameCount,
  isSameState,
  toLedgerName,
  toKeptSaid,
} from "./ledger.ts";
import {
  listLedger,
  listLedgerProjects,
  listLedgerTokens,
  listSaid,
  replaceLedger,
} from "./rebuild-store.ts";
import { type StateRow, toState } from "./states-store.ts";

const TOKENS_PER_PAGE = 500;
/** A collector may write a state between our look and our lock. */
const TRIES_MAX = 5;

/** How far a rebuild is, and what it found. */
export interface RebuildProgress {
  projects: number;
  tokens: number;
  records: number;
  /** Tokens and configurations whose states do not follow from their records. */
  differences: number;
}

interface RebuildOptions {
  /** One project alone. */
  projectId?: string | undefined;
  /** Whether to tell differences only, and to change nothing. */
  isCheck: boolean;
  onProgress?: (progress: Readonly<RebuildProgress>) => void;
  onDifference?: (difference: { projectId: string; token: string; identifier: string }) => void;
  signal?: AbortSignal;
}

/**
 * Makes the states and past states of every token from its records again, or with `isCheck` tells
 * where they differ. Consents may be collected meanwhile: a token is read in one snapshot, and what
 * differs is read again under its lock before it is written.
 */
export async function rebuildStates(db: Db, options: RebuildOptions): Promise<RebuildProgress> {
  const progress = { projects: 0, tokens: 0, records: 0, differences: 0 };
  const choices = openChoices(db);
  const projects = options.projectId ? [options.projectId] : await listLedgerProjects(db);
  for (const projectId of projects) {
    for (let after = ""; ;) {
      options.signal?.throwIfAborted();
      const tokens = await listLedgerTokens(db, { projectId, after, limit: TOKENS_PER_PAGE });
      const last = tokens.at(-1);
      if (last === undefined) break;
      await rebuildTokens(db, { projectId, tokens, choices }, { options, progress });
      after = last;
      progress.tokens += tokens.length;
      options.onProgress?.(progress);
    }
    progress.projects += 1;
  }
  return progress;
}

interface Page {
  projectId: string;
  tokens: readonly string[];
  choices: Choices;
}

async function rebuildTokens(
  db: Db,
  page: Page,
  { options, progress }: { options: RebuildOptions; progress: RebuildProgress },
): Promise<void> {
  const { projectId } = page;
  const found = await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute((tx) => compare(tx, page, false));
  progress.records += found.records;
  progress.differences += found.different.length;
  for (const { token, identifier } of found.different)
    options.onDifference?.({ projectId, token, identifier });
  if (options.isCheck || found.different.length === 0) return;
  const tokens = [...new Set(found.different.map(({ token }) => token))];
  await repair(db, { ...page, tokens });
}

async function repair(db: Db, page: Page): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await db.transaction().execute(async (tx) => {
        const { different, ledgers } = await compare(tx, page, true);
        const kept = different.flatMap((key) => ledgers.get(toLedgerName(key)) ?? []);
        const states = kept.flatMap(({ state, past }) => [state, ...past.map((one) => one.state)]);
        await page.choices.setChoices({ states });
        await replaceLedger(tx, {
          projectId: page.projectId,
          keys: different,
          states: kept.map(({ state }) => toStateRow(state)),
          past: kept.flatMap(({ past }) => past.map(toPastRow)),
        });
      });
      return;
    } catch (error) {
      const code = codeOf(error);
      const passing = code === "23505" || code === "40P01" || code === "40001";
      if (!passing || attempt >= TRIES_MAX) throw error;
    }
  }
}

/** What the records of some tokens make, and where their states say something else. */
async function compare(tx: Tx, { projectId, tokens }: Page, lock: boolean) {
  const rows = await listLedger(tx, { projectId, tokens }, lock);
  const said = await listSaid(tx, { projectId, tokens });
  const ledgers = foldLedgers(said.map((row) => toKeptSaid(projectId, row)));
  const states = new Map(rows.states.map((row) => [toLedgerName(row), row]));
  const past = Map.groupBy(rows.past, toLedgerName);
  const keys = new Map(
    [...said, ...rows.states, ...rows.past].map(({ token, identifier }) => [
      toLedgerName({ token, identifier }),
      { token, identifier },
    ]),
  );
  const different = [...keys]
    .filter(([name]) => !isTold(ledgers.get(name), states.get(name), past.get(name) ?? []))
    .map(([, key]) => key);
  return { records: said.length, ledgers, different };
}

/** Whether rows tell what records make. */
function isTold(
  ledger: Ledger | undefined,
  row: StateRow | undefined,
  past: readonly (StateRow & { until_id: string })[],
): boolean {
  if (!ledger || !row || ledger.past.length !== past.length) return false;
  const state = toState(row);
  if (!isSameState(ledger.state, state) || !isSameCount(ledger.state, state)) return false;
  if (!isChoiceTrue(row)) return false;
  const byId = new Map(past.map((one) => [one.consent_id, one]));
  return ledger.past.every((expected) => {
    const kept = byId.get(expected.state.consentId);
    if (!kept || kept.until_id !== expected.untilId || !isChoiceTrue(kept)) return false;
    return isSameState(expected.state, toState(kept));
  });
}

/** Whether a row that writes its items out is found by a choice that says the same of each. */
function isChoiceTrue({ items, choice, choice_items: answers }: StateRow): boolean {
  if (choice === null) return items !== null;
  if (!answers) return false;
  if (!items) return true;
  const names = Object.keys(items);
  return (
    names.length === Object.keys(answers).length &&
    names.every((name) => {
      const [own, other] = [items[name], answers[name]];
      return own?.answer === other?.answer && own?.substance === other?.substance;
    })
  );
}

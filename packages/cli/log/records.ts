import {
  type AuditTally,
  type Finding,
  auditRecords,
} from "../../server/modules/evidence/proofs/audit.ts";
import { findWitnessedHead } from "../../server/modules/evidence/log/heads.ts";
import { findLogKeys } from "../../server/modules/evidence/log/sequence/key-entries.ts";
import { readLogKeys } from "../../server/modules/evidence/log/keys.ts";
import { findHead } from "../../server/modules/evidence/log/origin.ts";
import { ENTRIES_LEVEL } from "../../server/modules/evidence/log/tree/tile-path.ts";
import { readTile } from "../../server/modules/evidence/log/tiles.ts";
import type { Db } from "../../server/platform/db/db.ts";
import type { Checkpoint } from "@avow/verifier/checkpoint";
import type { Check } from "@avow/verifier/checks";
import { type VerifierKey, parseVerifierKey } from "@avow/verifier/keys";
import type { Language } from "@avow/verifier";
import { CommandError } from "../errors.ts";
import type { Progress } from "../progress.ts";
import { type TitledReport, auditLog } from "./audit.ts";
import type { ReadableLog } from "./public-log.ts";
import { openService } from "./service.ts";
import { logWords } from "./words.ts";

/** So many findings are named; all are counted. */
const NAMED_MAX = 20;

/**
 * Checks the log of the service on this machine out of its database, and every record against it. Its
 * own keys are trusted, beside those that are given.
 */
export async function auditService(asked: {
  keys: readonly VerifierKey[];
  kept: Checkpoint | undefined;
  language: Language;
  progress: Progress;
  signal: AbortSignal;
}): Promise<TitledReport> {
  await using service = await openService();
  const { db } = service;
  const { progress, signal } = asked;
  const log = await openOwnLog(db);
  const own = await Promise.all(
    (await readLogKeys(service.place)).map(({ verifier }) => parseVerifierKey(verifier)),
  );
  const trust = { ...asked, keys: [...asked.keys, ...own] };
  const found = await auditLog(log, trust, (done, total) => {
    signal.throwIfAborted();
    progress.show({ title: "Log", done, total, unit: "records" });
  });
  const { size } = found.checkpoint;
  const named: Finding[] = [];
  const tally = await auditRecords({
    db,
    size,
    signal,
    onFinding: (finding) => named.length < NAMED_MAX && named.push(finding),
    onProgress: ({ places, consents }) =>
      progress.show({
        title: consents > 0 ? "Consents" : "Records",
        done: consents || places,
        total: size,
        unit: "records",
      }),
  });
  progress.clear();
  return {
    title: log.name,
    ...found,
    checks: [...found.checks, ...toChecks(tally, named, asked.language)],
  };
}

function toChecks(tally: AuditTally, named: readonly Finding[], language: Language): Check[] {
  const words = logWords[language];
  if (tally.findings === 0) return [{ name: "records", holds: true, says: words.records(tally) }];
  const more = tally.findings - named.length;
  return [
    ...named.map(({ name, says }) => ({ name, holds: false, says })),
    ...(more > 0 ? [{ name: "records", holds: false, says: words.more(more) }] : []),
  ];
}

/** The log as the database has it. */
async function openOwnLog(db: Db): Promise<ReadableLog> {
  const head = await findHead(db);
  if (!head) throw new CommandError("The log has no tree yet. Start the service once.");
  return {
    name: head.origin,
    // What is signed meanwhile is left to the next time.
    async readCheckpoint(isWitnessed) {
      if (!isWitnessed) return head.checkpoint;
      const witnessed = await findWitnessedHead(db);
      if (witnessed) return witnessed.checkpoint;
      throw new CommandError("There is no tree of the log that a witness cosigned.");
    },
    readKeys: async () => JSON.stringify(await findLogKeys(db)),
    async read({ level, index, width }) {
      const at = level === "entries" ? ENTRIES_LEVEL : level;
      return readTile(db, { level: at, index, width });
    },
  };
}

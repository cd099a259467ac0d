import type { Checkpoint } from "@avow/verifier/checkpoint";
import type { Check } from "@avow/verifier/checks";
import { type VerifierKey, parseVerifierKey } from "@avow/verifier/keys";
import type { Language } from "@avow/verifier";
import { CommandError } from "../terminal/errors.ts";
import type { Progress } from "../terminal/progress.ts";
import { type TitledReport, auditLog } from "./audit.ts";
import type { OpenOwnLog, RecordFinding, RecordsTally } from "./own-log.ts";
import { logWords } from "./words.ts";

/** Maximum findings that are listed; all are counted. */
const NAMED_MAX = 20;

/**
 * Checks the log of the service on this machine in its database, and every record against it. The log's own keys are
 * trusted in addition to `keys`.
 */
export async function auditService(options: {
  keys: readonly VerifierKey[];
  kept: Checkpoint | undefined;
  language: Language;
  progress: Progress;
  signal: AbortSignal;
  openOwnLog: OpenOwnLog;
}): Promise<TitledReport> {
  await using ownLog = await options.openOwnLog();
  const { progress, signal } = options;
  const log = await ownLog.openReadable();
  if (!log) throw new CommandError("The log has no tree yet. Start the service once.");
  const own = await Promise.all(
    (await ownLog.listKeys()).map(({ verifier }) => parseVerifierKey(verifier)),
  );
  const trust = { ...options, keys: [...options.keys, ...own] };
  const found = await auditLog(log, trust, (done, total) => {
    signal.throwIfAborted();
    progress.show({ title: "Log", done, total, unit: "records" });
  });
  const { size } = found.checkpoint;
  const named: RecordFinding[] = [];
  const tally = await ownLog.auditRecords({
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
    checks: [...found.checks, ...toChecks(tally, named, options.language)],
  };
}

function toChecks(
  tally: RecordsTally,
  named: readonly RecordFinding[],
  language: Language,
): Check[] {
  const words = logWords[language];
  if (tally.findings === 0) return [{ name: "records", holds: true, says: words.records(tally) }];
  const more = tally.findings - named.length;
  return [
    ...named.map(({ name, says }) => ({ name, holds: false, says })),
    ...(more > 0 ? [{ name: "records", holds: false, says: words.more(more) }] : []),
  ];
}

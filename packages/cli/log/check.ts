import { randomBytes } from "node:crypto";
import { access, rename, rm, writeFile } from "node:fs/promises";
import { type Checkpoint, parseCheckpoint } from "@avow/verifier/checkpoint";
import { toVerdict } from "@avow/verifier/checks";
import type { VerifierKey } from "@avow/verifier/keys";
import type { Language } from "@avow/verifier";
import {
  DEFAULT_URL,
  assertNoPositionals,
  parseOptions,
  readChoice,
  readUrl,
} from "../terminal/arguments.ts";
import { UsageError } from "../terminal/errors.ts";
import { toPath } from "../terminal/path.ts";
import { type Progress, openProgress } from "../terminal/progress.ts";
import { printChecks, printVerdict } from "../verify/report.ts";
import { readOptionFile, readKeys } from "../verify/verify.ts";
import { type TitledReport, auditLog } from "./audit.ts";
import type { OpenOwnLog } from "./own-log.ts";
import { openPublicLog } from "./public-log.ts";
import type { ReadableLog } from "./readable-log.ts";
import { auditService } from "./records.ts";
import { logWords } from "./words.ts";

const help = `Usage: avow log check [--url URL] [--key KEY|FILE]… [--checkpoint FILE] [--keep FILE]
       avow log check --records [--checkpoint FILE] [--keep FILE]

Reads the whole log, recomputes its tree from its entries, and compares it with its signature and
an older checkpoint that you saved. Run it regularly with --keep to monitor the log: it then reports
any entry that was changed, moved or removed since the last run.

  --url URL          the service (default: AVOW_URL, or ${DEFAULT_URL}); no token is needed
  --key KEY|FILE     a key that you trust, from another source than the service: the log's key as
                     name+hash+base64, or a file with one key per line. Also witnesses' keys: each of
                     these witnesses must have signed. Can be repeated
  --checkpoint FILE  an older checkpoint that you saved
  --keep FILE        saves the checkpoint there if every check passes; the previous content of FILE is
                     the older checkpoint, unless --checkpoint names another
  --records          on the machine of the service: reads the log from its database, trusts its keys,
                     and also checks every record, publication and document against it
  --language en|fr   the language of the report
  --json             print the report as JSON
  --quiet            do not show progress
  -h, --help         print this text

Exit status: 0 if every check passes and a key that you trust signed, 1 otherwise,
2 for wrong usage, 130 after an interrupt (Ctrl-C).
`;
const options = {
  url: { type: "string" },
  key: { type: "string", multiple: true },
  checkpoint: { type: "string" },
  keep: { type: "string" },
  records: { type: "boolean" },
  language: { type: "string" },
  json: { type: "boolean" },
  quiet: { type: "boolean" },
} as const;

interface CheckOptions {
  keys: VerifierKey[];
  kept: Checkpoint | undefined;
  /** The absolute path to save the checkpoint to. */
  keep: string | undefined;
  language: Language;
  isJson: boolean;
  progress: Progress;
  signal: AbortSignal;
}

/** Runs `avow log check`; returns the exit status. */
export async function checkLog(
  args: string[],
  { openOwnLog, signal }: { openOwnLog: OpenOwnLog; signal: AbortSignal },
): Promise<number> {
  const given = parseOptions(args, help, options);
  if (!given) return 0;
  const { values, positionals } = given;
  assertNoPositionals(positionals);
  const language = readChoice("language", values.language ?? "en", ["en", "fr"]);
  const keys: VerifierKey[] = [];
  for (const key of values.key ?? []) keys.push(...(await readKeys(key)));
  const isJson = values.json === true;
  const checkOptions: CheckOptions = {
    keys,
    kept: await readKept(values),
    keep: values.keep === undefined ? undefined : toPath(values.keep),
    language,
    isJson,
    progress: openProgress(values.quiet === true || isJson),
    signal,
  };
  if (values.records !== true)
    return report(
      checkOptions,
      await readPublic(checkOptions, openPublicLog(readUrl(values.url), signal)),
    );
  if (values.url !== undefined)
    throw new UsageError("--records reads the database of the service. Omit --url.");
  return report(checkOptions, await auditService({ ...checkOptions, openOwnLog }));
}

async function readPublic(checkOptions: CheckOptions, log: ReadableLog): Promise<TitledReport> {
  const title = "Log";
  const { progress } = checkOptions;
  const found = await auditLog(log, checkOptions, (done, total) =>
    progress.show({ title, done, total, unit: "records" }),
  );
  progress.clear();
  return { title: log.name, ...found };
}

/** Prints the report, and saves the checkpoint if every check passes; returns the exit status. */
async function report(
  { language, keep, kept, isJson }: CheckOptions,
  { title, checks, checkpoint }: TitledReport,
): Promise<number> {
  const words = logWords[language];
  const verdict = toVerdict(checks);
  const isProven = verdict === "proven";
  if (keep !== undefined && isProven) await keepFile(keep, checkpoint.source);
  if (isJson) {
    const output = { verdict, size: checkpoint.size, checks, checkpoint: checkpoint.source };
    process.stdout.write(`${JSON.stringify(output, null, 2)}\n`);
    return isProven ? 0 : 1;
  }
  printChecks(title, checks, kept ? [] : [`  · ${words.keptNone}`]);
  printVerdict(verdict, words.verdicts[verdict]);
  if (keep !== undefined)
    process.stdout.write(`  ${isProven ? words.written(keep) : words.notWritten(keep)}\n`);
  return isProven ? 0 : 1;
}

async function readKept(given: {
  checkpoint?: string;
  keep?: string;
}): Promise<Checkpoint | undefined> {
  const { checkpoint, keep } = given;
  if (checkpoint !== undefined) return readOptionFile("checkpoint", checkpoint, parseCheckpoint);
  if (keep === undefined || !(await exists(toPath(keep)))) return undefined;
  return readOptionFile("keep", keep, parseCheckpoint);
}

/** Replaces the file atomically. */
async function keepFile(path: string, text: string): Promise<void> {
  const fresh = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeFile(fresh, text, { flush: true });
    await rename(fresh, path);
  } finally {
    await rm(fresh, { force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

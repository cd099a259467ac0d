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
import { readGiven, readKeys } from "../verify/verify.ts";
import { type TitledReport, auditLog } from "./audit.ts";
import type { OpenOwnLog } from "./own-log.ts";
import { openPublicLog } from "./public-log.ts";
import type { ReadableLog } from "./readable-log.ts";
import { auditService } from "./records.ts";
import { logWords } from "./words.ts";

const help = `Usage: avow log check [--url URL] [--key KEY|FILE]… [--checkpoint FILE] [--keep FILE]
       avow log check --records [--checkpoint FILE] [--keep FILE]

Reads the whole log, makes its tree again from its entries, and holds it against its signature and
an older checkpoint that was kept. Whoever runs it now and then with --keep is a monitor: nothing that
was in the log the last time can be changed, moved or taken out without being told.

  --url URL          the service (default: AVOW_URL, or ${DEFAULT_URL}); no token is needed
  --key KEY|FILE     a key that you trust, from somewhere else than the service: the log's, written
                     name+hash+base64, or a file with one on each line. Witnesses' keys too: each of
                     these has to have signed. May be given several times
  --checkpoint FILE  an older checkpoint that you kept
  --keep FILE        keeps the checkpoint there when everything holds; what FILE has already is the
                     older one, unless --checkpoint names another
  --records          on the machine of the service: reads the log from its database, by its own keys,
                     and holds every record, publication and document against it too
  --language en|fr   the language of what is told
  --json             what was found, as JSON
  --quiet            no progress
  -h, --help         this text

Exit status: 0 when everything holds and was signed by a key that you trust, 1 when it is not so,
2 for a wrong use, 130 after an interrupt (Ctrl-C).
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

interface Asked {
  keys: VerifierKey[];
  kept: Checkpoint | undefined;
  /** Where the checkpoint is to be kept; absolute. */
  keep: string | undefined;
  language: Language;
  isJson: boolean;
  progress: Progress;
  signal: AbortSignal;
}

/** Runs `avow log check`; answers the exit status. */
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
  const asked: Asked = {
    keys,
    kept: await readKept(values),
    keep: values.keep === undefined ? undefined : toPath(values.keep),
    language,
    isJson,
    progress: openProgress(values.quiet === true || isJson),
    signal,
  };
  if (values.records !== true)
    return report(asked, await readPublic(asked, openPublicLog(readUrl(values.url), signal)));
  if (values.url !== undefined)
    throw new UsageError("--records reads the database of the service: leave --url out.");
  return report(asked, await auditService({ ...asked, openOwnLog }));
}

async function readPublic(asked: Asked, log: ReadableLog): Promise<TitledReport> {
  const title = "Log";
  const { progress } = asked;
  const found = await auditLog(log, asked, (done, total) =>
    progress.show({ title, done, total, unit: "records" }),
  );
  progress.clear();
  return { title: log.name, ...found };
}

/** Tells what was found, and keeps the checkpoint where everything holds; answers the exit status. */
async function report(
  { language, keep, kept, isJson }: Asked,
  { title, checks, checkpoint }: TitledReport,
): Promise<number> {
  const words = logWords[language];
  const verdict = toVerdict(checks);
  const isProven = verdict === "proven";
  if (keep !== undefined && isProven) await keepFile(keep, checkpoint.source);
  if (isJson) {
    const told = { verdict, size: checkpoint.size, checks, checkpoint: checkpoint.source };
    process.stdout.write(`${JSON.stringify(told, null, 2)}\n`);
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
  if (checkpoint !== undefined) return readGiven("checkpoint", checkpoint, parseCheckpoint);
  if (keep === undefined || !(await isThere(toPath(keep)))) return undefined;
  return readGiven("keep", keep, parseCheckpoint);
}

/** Replaced at once: whoever reads it has the one from before or the new one, whole. */
async function keepFile(path: string, text: string): Promise<void> {
  const fresh = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeFile(fresh, text, { flush: true });
    await rename(fresh, path);
  } finally {
    await rm(fresh, { force: true });
  }
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

import { BUNDLE_BYTES_MAX, type ConsistencyProof, parseConsistency } from "@avow/verifier/bundle";
import { fromUtf8 } from "@avow/verifier/bytes";
import { parseCheckpoint } from "@avow/verifier/checkpoint";
import type { Report } from "@avow/verifier/checks";
import { type VerifierKey, parseVerifierKey, parseVerifierKeys } from "@avow/verifier/keys";
import { type Language, type Trust, verifyBundle } from "@avow/verifier";
import { parseOptions, readChoice } from "../terminal/arguments.ts";
import { UsageError, toReason } from "../terminal/errors.ts";
import { readBytes } from "../terminal/read-bytes.ts";
import { printArchive, printReport, printRow } from "./report.ts";
import { isArchive } from "../audit-package/archive.ts";
import { type ArchiveReport, toUnreadableReport, verifyArchive } from "./verify-audit-package.ts";

const help = `Usage: avow verify FILE… [--key KEY|FILE]… [--checkpoint FILE] [--consistency FILE]…

Verifies proofs of consent without the service and without a network: the record, its inclusion in
the log, the signers of the log, and the texts that were shown. Also verifies receipts of erasures.
FILE is a proof bundle (the response of GET /v1/app/proofs/CONSENT), a receipt (the response of GET
/v1/app/erasures/PROJECT/ERASURE), or - for standard input. FILE can also be an audit package of avow
dossier, packed or unpacked, or a folder of bundles: every bundle in it is verified.

  --key KEY|FILE     a key that you trust, from another source than the bundle: the log's key as
                     name+hash+base64, or a file with one key per line. Also witnesses' keys: each
                     of these witnesses must have signed. Can be repeated
  --checkpoint FILE  an older checkpoint of the log that you saved: checks that the log was not
                     rewritten since
  --consistency FILE the log's consistency proof for that, if the bundle has none; can be repeated
  --language en|fr   the language of the report
  --json             print the report as JSON
  -h, --help         print this text

Exit status: 0 if every check passes and a key that you trust signed, 1 otherwise, 2 for wrong usage.
`;
const options = {
  key: { type: "string", multiple: true },
  checkpoint: { type: "string" },
  consistency: { type: "string", multiple: true },
  language: { type: "string" },
  json: { type: "boolean" },
} as const;

const OTHER_BYTES_MAX = 1024 * 1024;

/** The report of one file. */
interface FileReport extends Report {
  file: string;
  /** The reports of an archive's bundles. */
  bundles?: ArchiveReport["bundles"];
  /** Statements about an archive's unproven content. */
  notes?: string[];
}

/** Runs `avow verify`; returns the exit status. */
export async function verifyFiles(args: string[]): Promise<number> {
  const given = parseOptions(args, help, options);
  if (!given) return 0;
  const { values, positionals: files } = given;
  if (files.length === 0) throw new UsageError("Expected at least one FILE.");
  if (files.filter((file) => file === "-").length > 1)
    throw new UsageError("Standard input can be read only once.");
  const language = readChoice("language", values.language ?? "en", ["en", "fr"]);
  const trust = await readTrust(values, language);
  const all: FileReport[] = [];
  for (const file of files) {
    all.push(await verifyEach(file, { trust, language, isPrinted: values.json !== true }));
  }
  if (values.json === true) {
    const output = all.map(({ bundle: _bundle, ...found }) => found);
    process.stdout.write(`${JSON.stringify(output, null, 2)}\n`);
  }
  return all.every(({ verdict }) => verdict === "proven") ? 0 : 1;
}

interface Verifying {
  trust: Trust;
  language: Language;
  /** Whether reports are printed as soon as they are complete. */
  isPrinted: boolean;
}

/** Checks one file of several. An error becomes its report, so that the next files are checked too. */
async function verifyEach(file: string, verifying: Verifying): Promise<FileReport> {
  try {
    return await verifyAny(file, verifying);
  } catch (error) {
    const found = { file, ...toUnreadableReport(error) };
    if (verifying.isPrinted) printReport(found, verifying.language);
    return found;
  }
}

/** Checks a bundle, or every bundle of an archive, and prints the reports if `isPrinted`. */
async function verifyAny(
  file: string,
  { trust, language, isPrinted }: Verifying,
): Promise<FileReport> {
  if (file !== "-" && (await isArchive(file))) {
    const found = await verifyArchive(file, trust, (one) => {
      if (isPrinted) printRow(one, language);
    });
    if (isPrinted) printArchive({ file, ...found }, language);
    return { file, ...found };
  }
  const found = { file, ...(await verifyBundle(await readBytes(file, BUNDLE_BYTES_MAX), trust)) };
  if (isPrinted) printReport(found, language);
  return found;
}

async function readTrust(
  given: { key?: string[]; checkpoint?: string; consistency?: string[] },
  language: Language,
): Promise<Trust> {
  const trustedKeys: VerifierKey[] = [];
  for (const key of given.key ?? []) trustedKeys.push(...(await readKeys(key)));
  const consistency: ConsistencyProof[] = [];
  for (const file of given.consistency ?? [])
    consistency.push(await readOptionFile("consistency", file, parseConsistency));
  const checkpoint =
    given.checkpoint === undefined
      ? undefined
      : await readOptionFile(
          "checkpoint",
          given.checkpoint,
          (text) => parseCheckpoint(text).source,
        );
  return { trustedKeys, consistency, checkpoint, language };
}

/** Parses a key, or a file of keys. @throws UsageError for anything else */
export async function readKeys(given: string): Promise<VerifierKey[]> {
  if (/^[^+]+\+[0-9a-fA-F]{8}\+/.test(given))
    return [await toUsageError("key", () => parseVerifierKey(given))];
  const keys = await readOptionFile("key", given, parseVerifierKeys);
  if (keys.length === 0) throw new UsageError(`--key: there is no key in ${given}.`);
  return keys;
}

/** Parses the file of an option. @throws UsageError when it cannot be parsed */
export function readOptionFile<T>(
  name: string,
  file: string,
  parse: (text: string) => Promise<T> | T,
): Promise<T> {
  return toUsageError(name, async () => parse(fromUtf8(await readBytes(file, OTHER_BYTES_MAX))));
}

/** Rethrows any error as a UsageError of the option. */
async function toUsageError<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new UsageError(`--${name}: ${toReason(error)}`);
  }
}

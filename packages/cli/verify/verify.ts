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
import { isArchive } from "../dossier/archive.ts";
import { type FoundArchive, toBroken, verifyArchive } from "./verify-dossier.ts";

const help = `Usage: avow verify FILE… [--key KEY|FILE]… [--checkpoint FILE] [--consistency FILE]…

Checks proofs of consent, without the service and without a network: the record, its place in the
log, who signed the log, and the words that were shown; and receipts of erasures. FILE is a proof
bundle, as GET /v1/app/proofs/CONSENT answers it, or a receipt, as GET
/v1/app/erasures/PROJECT/ERASURE does; - is standard input. FILE may also be a dossier, as avow
dossier writes it, packed or unpacked, or a folder of bundles: all of them are checked.

  --key KEY|FILE     a key that you trust, from somewhere else than the bundle: the log's, written
                     name+hash+base64, or a file with one on each line. Witnesses' keys too: each
                     of these witnesses has to have signed. May be given several times
  --checkpoint FILE  an older checkpoint of the log that you kept: nothing was rewritten since
  --consistency FILE the log's proof for that, where the bundle has none; may be given several times
  --language en|fr   the language of what is told
  --json             what was found, as JSON
  -h, --help         this text

Exit status: 0 when everything holds and was signed by a key that you trust, 1 when it is not so,
2 for a wrong use.
`;
const options = {
  key: { type: "string", multiple: true },
  checkpoint: { type: "string" },
  consistency: { type: "string", multiple: true },
  language: { type: "string" },
  json: { type: "boolean" },
} as const;

const OTHER_BYTES_MAX = 1024 * 1024;

/** What was found in one file. */
interface Found extends Report {
  file: string;
  /** What was found in each bundle of an archive. */
  bundles?: FoundArchive["bundles"];
  /** What an archive says and nothing proves. */
  notes?: string[];
}

/** Runs `avow verify`; answers the exit status. */
export async function verifyFiles(args: string[]): Promise<number> {
  const given = parseOptions(args, help, options);
  if (!given) return 0;
  const { values, positionals: files } = given;
  if (files.length === 0) throw new UsageError("Expected one FILE or more.");
  if (files.filter((file) => file === "-").length > 1)
    throw new UsageError("Standard input can be read once.");
  const language = readChoice("language", values.language ?? "en", ["en", "fr"]);
  const trust = await readTrust(values, language);
  const all: Found[] = [];
  for (const file of files) {
    all.push(await verifyEach(file, { trust, language, isTold: values.json !== true }));
  }
  if (values.json === true) {
    const told = all.map(({ bundle: _bundle, ...found }) => found);
    process.stdout.write(`${JSON.stringify(told, null, 2)}\n`);
  }
  return all.every(({ verdict }) => verdict === "proven") ? 0 : 1;
}

interface Verifying {
  trust: Trust;
  language: Language;
  /** Whether what is found is printed at once. */
  isTold: boolean;
}

/** Checks one file of several. Whatever goes wrong with it is its own, and the next is looked at. */
async function verifyEach(file: string, verifying: Verifying): Promise<Found> {
  try {
    return await verifyAny(file, verifying);
  } catch (error) {
    const found = { file, ...toBroken(error) };
    if (verifying.isTold) printReport(found, verifying.language);
    return found;
  }
}

/** Checks a bundle, or all those of an archive, and prints what is found where it is to be told. */
async function verifyAny(file: string, { trust, language, isTold }: Verifying): Promise<Found> {
  if (file !== "-" && (await isArchive(file))) {
    const found = await verifyArchive(file, trust, (one) => {
      if (isTold) printRow(one, language);
    });
    if (isTold) printArchive({ file, ...found }, language);
    return { file, ...found };
  }
  const found = { file, ...(await verifyBundle(await readBytes(file, BUNDLE_BYTES_MAX), trust)) };
  if (isTold) printReport(found, language);
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
    consistency.push(await readGiven("consistency", file, parseConsistency));
  const checkpoint =
    given.checkpoint === undefined
      ? undefined
      : await readGiven("checkpoint", given.checkpoint, (text) => parseCheckpoint(text).source);
  return { trustedKeys, consistency, checkpoint, language };
}

/** A key as it is written, or a file of some. @throws UsageError for anything else */
export async function readKeys(given: string): Promise<VerifierKey[]> {
  if (/^[^+]+\+[0-9a-fA-F]{8}\+/.test(given))
    return [await orUsage("key", () => parseVerifierKey(given))];
  const keys = await readGiven("key", given, parseVerifierKeys);
  if (keys.length === 0) throw new UsageError(`--key: there is no key in ${given}.`);
  return keys;
}

/** What an option's file holds. @throws UsageError where it cannot be read */
export function readGiven<T>(
  name: string,
  file: string,
  parse: (text: string) => Promise<T> | T,
): Promise<T> {
  return orUsage(name, async () => parse(fromUtf8(await readBytes(file, OTHER_BYTES_MAX))));
}

/** What cannot be read of what the caller gave is the caller's to mend. */
async function orUsage<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new UsageError(`--${name}: ${toReason(error)}`);
  }
}

import { writeFile } from "node:fs/promises";
import { extname } from "node:path";
import { type Arguments, readArguments, readChoice } from "../terminal/arguments.ts";
import { retry } from "@avow/client/retry";
import { CommandError, UsageError, toOutputError } from "../terminal/errors.ts";
import { type ExportFile, openExportFile } from "./export-file.ts";
import {
  type ExportRequest,
  type Filters,
  type Manifest,
  type Part,
  formats,
  readPart,
} from "./export-part.ts";
import { toPath } from "../terminal/path.ts";
import { toRetryOptions } from "../terminal/retries.ts";

const help = `Usage: avow export PROJECT [--format csv|ndjson|parquet] [-o FILE] [--resume] …

Writes a project's consents, oldest first, up to now. The file is checked against the manifest of
the service: the number of records and their SHA-256. A lost connection is retried; --resume continues
an export that was interrupted (Ctrl-C).

  --format FORMAT   csv, ndjson or parquet (default: by the file's extension, or csv)
  -o, --output FILE the output file (default: standard output, which cannot be resumed)
  --manifest FILE   also write the manifest: the filters, the hash, and the signed state of the log
                    that the file is complete for (the last line of NDJSON contains the same)
  --resume          resume an interrupted file; Parquet starts over
  --dialect plain   CSV for programs that split lines by hand: lines end with LF, no cell is quoted,
                    \`;\` in a value becomes \`,\`, a line end a space; it cannot be imported again
  --start INSTANT   the start of the period, inclusive: a date (2026-01-31, UTC), or a date and time
  --end INSTANT     the end of the period: a date is included, a time (2026-01-31T09:30:00Z) is not
  --collection NAME only cookies, processings or contracts
  --identifier ID   only one configuration
  --visitor TOKEN   only one visitor's token
  --accept ANSWER   true: only accepted consents; false: only refused ones
`;
const collections = ["cookies", "processings", "contracts"] as const;
const dialects = ["rfc4180", "plain"] as const;
const answers = ["true", "false"] as const;
const options = {
  format: { type: "string" },
  output: { type: "string", short: "o" },
  manifest: { type: "string" },
  resume: { type: "boolean" },
  dialect: { type: "string" },
  start: { type: "string" },
  end: { type: "string" },
  collection: { type: "string" },
  identifier: { type: "string" },
  visitor: { type: "string" },
  accept: { type: "string" },
} as const;

/** Runs `avow export`; returns the exit status. */
export async function exportConsents(args: string[], signal: AbortSignal): Promise<number> {
  const given = readArguments(args, { help, options, positionals: ["PROJECT"] });
  if (!given) return 0;
  const [projectId = ""] = given.positionals;
  const output = given.text("output");
  const path = output === undefined ? undefined : toPath(output);
  const named = given.text("format");
  const format = named === undefined ? toFormat(path ?? "") : readChoice("format", named, formats);
  if (given.text("dialect") !== undefined && format !== "csv")
    throw new UsageError(`--dialect applies to CSV. Remove it, or export with --format csv.`);
  const request: ExportRequest = { projectId, format, filters: readFilters(given) };
  if (path === undefined) {
    if (given.is("resume")) throw new UsageError("--resume needs --output FILE.");
    return toStandardOutput(given, request, signal);
  }
  await using file = await openExportFile(path, { request, isResumed: given.is("resume") });
  if (file.isNew && given.is("resume"))
    given.progress.say("Nothing to resume. Starting a new export.");
  // `await` keeps the file open until the export has finished.
  try {
    return await toFile(given, { request, file, signal });
  } catch (error) {
    const isRemoved = await file.removeEmpty();
    throw signal.aborted && !isRemoved ? toInterrupted(file) : error;
  }
}

/** The format by the extension; CSV without one. @throws UsageError for an unknown extension */
function toFormat(path: string): ExportRequest["format"] {
  const ending = extname(path).slice(1).toLowerCase();
  if (ending === "") return "csv";
  const found = formats.find((format) => format === (ending === "jsonl" ? "ndjson" : ending));
  if (!found) throw new UsageError(`Name the format of ${path}: --format ${formats.join(", ")}.`);
  return found;
}

/** The API's `token` is `--visitor` here, because `--token` is the access token. */
function readFilters({ text }: Arguments): Filters {
  const filters: Filters = {};
  for (const name of ["start", "end", "identifier", "visitor"] as const) {
    const value = text(name);
    if (value !== undefined) filters[name === "visitor" ? "token" : name] = value;
  }
  const dialect = text("dialect");
  if (dialect !== undefined) filters.dialect = readChoice("dialect", dialect, dialects);
  const collection = text("collection");
  if (collection !== undefined)
    filters.collection = readChoice("collection", collection, collections);
  const accept = text("accept");
  if (accept !== undefined) filters.accept = readChoice("accept", accept, answers) === "true";
  return filters;
}

/** Reports the log that the file is complete for, and writes the manifest if `--manifest` is set. */
async function reportEnd(given: Arguments, manifest: Manifest): Promise<void> {
  const { progress } = given;
  const { log, heldBack = false, to } = manifest;
  if (log) {
    const size = log.size.toLocaleString("en");
    progress.say(`Complete for the log ${log.origin} at ${size} entries.`);
  }
  const path = given.text("manifest");
  if (path !== undefined) {
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    await writeFile(toPath(path), text, { mode: 0o600 });
  }
  // The export ends before the requested end.
  if (heldBack)
    progress.say(
      `The file ends at ${to}, because a consent was still being collected. Export the rest later, with --start ${to}.`,
    );
}

async function toStandardOutput(
  given: Arguments,
  request: ExportRequest,
  signal: AbortSignal,
): Promise<number> {
  const part = await readPart(given, { request, after: undefined, signal, write: writeOut });
  assertWhole(part.manifest.count, part);
  given.progress.say(`${part.manifest.count.toLocaleString("en")} records.`);
  await reportEnd(given, part.manifest);
  return 0;
}

function writeOut(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(toOutputError(error)) : resolve()));
  });
}

/** Writes until the file is complete. A lost connection is resumed where the manifest allows. */
async function toFile(given: Arguments, writing: Writing): Promise<number> {
  const { progress } = given;
  const { file, signal } = writing;
  const work = () => writePart(given, writing);
  const { count, manifest } = await retry(work, toRetryOptions({ signal, progress }));
  progress.say(`${count.toLocaleString("en")} records in ${file.path}: complete and checked.`);
  await reportEnd(given, manifest);
  return 0;
}

interface Writing {
  request: ExportRequest;
  file: ExportFile;
  signal: AbortSignal;
}

/** Writes the rest of a file; returns the total number of records and the manifest. */
async function writePart(
  given: Arguments,
  { request, file, signal }: Writing,
): Promise<{ count: number; manifest: Manifest }> {
  const after = await file.cut(given.client, signal);
  const { write, begin, count: countBefore } = file;
  const part = await readPart(given, { request, after, signal, write, begin, countBefore });
  const count = countBefore + part.manifest.count;
  assertWhole(count, part);
  return { count, manifest: await file.finish(part.manifest) };
}

function assertWhole(count: number, { manifest, sha256, bytes }: Part): void {
  if (manifest.complete && manifest.sha256 === sha256 && manifest.bytes === bytes) return;
  throw new CommandError(`The file (${count} records) does not match its manifest. Export again.`);
}

function toInterrupted(file: ExportFile): CommandError {
  return new CommandError(`Interrupted. Resume with: avow export … -o ${file.path} --resume`);
}

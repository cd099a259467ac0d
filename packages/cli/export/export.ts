import { writeFile } from "node:fs/promises";
import { extname } from "node:path";
import { type Given, readArguments, readChoice } from "../terminal/arguments.ts";
import { retry } from "@avow/client/retry";
import { CommandError, UsageError, toUnwritable } from "../terminal/errors.ts";
import { type ExportFile, openExportFile } from "./export-file.ts";
import {
  type Asked,
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
the service: how many records, and their SHA-256. A connection that breaks is taken up again; what
an interrupt (Ctrl-C) leaves goes on with --resume.

  --format FORMAT   csv, ndjson or parquet (default: by the end of the file's name, or csv)
  -o, --output FILE the file (default: standard output, which cannot be resumed)
  --manifest FILE   keeps the manifest too: what the file is of, its hash, and the signed state of
                    the log that it is complete for (the last line of NDJSON has the same)
  --resume          go on with a file that was cut; Parquet begins again
  --start INSTANT   from then on (RFC 3339)
  --end INSTANT     before then
  --collection NAME cookies, processings or contracts alone
  --identifier ID   of one configuration alone
  --visitor TOKEN   of one visitor's token alone
  --accept ANSWER   true: what was accepted alone; false: what was refused
`;
const collections = ["cookies", "processings", "contracts"] as const;
const answers = ["true", "false"] as const;
const options = {
  format: { type: "string" },
  output: { type: "string", short: "o" },
  manifest: { type: "string" },
  resume: { type: "boolean" },
  start: { type: "string" },
  end: { type: "string" },
  collection: { type: "string" },
  identifier: { type: "string" },
  visitor: { type: "string" },
  accept: { type: "string" },
} as const;

/** Runs `avow export`; answers the exit status. */
export async function exportConsents(args: string[], signal: AbortSignal): Promise<number> {
  const given = readArguments(args, { help, options, positionals: ["PROJECT"] });
  if (!given) return 0;
  const [projectId = ""] = given.positionals;
  const output = given.text("output");
  const path = output === undefined ? undefined : toPath(output);
  const named = given.text("format");
  const format = named === undefined ? toFormat(path ?? "") : readChoice("format", named, formats);
  const asked: Asked = { projectId, format, filters: readFilters(given) };
  if (path === undefined) {
    if (given.is("resume")) throw new UsageError("--resume needs --output FILE.");
    return toStandardOutput(given, asked, signal);
  }
  await using file = await openExportFile(path, { asked, isResumed: given.is("resume") });
  if (file.isNew && given.is("resume")) given.progress.say("Nothing to resume: it begins anew.");
  // The file is closed when this is done, and not before.
  try {
    return await toFile(given, { asked, file, signal });
  } catch (error) {
    const isRemoved = await file.removeEmpty();
    throw signal.aborted && !isRemoved ? toInterrupted(file) : error;
  }
}

/** A name without an ending is CSV; one that ends otherwise would not be what it says. */
function toFormat(path: string): Asked["format"] {
  const ending = extname(path).slice(1).toLowerCase();
  if (ending === "") return "csv";
  const found = formats.find((format) => format === (ending === "jsonl" ? "ndjson" : ending));
  if (!found) throw new UsageError(`Name the format of ${path}: --format ${formats.join(", ")}.`);
  return found;
}

/** What the API calls `token` is the visitor's here: --token is who asks. */
function readFilters({ text }: Given): Filters {
  const filters: Filters = {};
  for (const name of ["start", "end", "identifier", "visitor"] as const) {
    const value = text(name);
    if (value !== undefined) filters[name === "visitor" ? "token" : name] = value;
  }
  const collection = text("collection");
  if (collection !== undefined)
    filters.collection = readChoice("collection", collection, collections);
  const accept = text("accept");
  if (accept !== undefined) filters.accept = readChoice("accept", accept, answers) === "true";
  return filters;
}

/** Tells what a file is complete for, and keeps its manifest where that is asked for. */
async function tellEnd(given: Given, manifest: Manifest): Promise<void> {
  const { progress } = given;
  const { log, heldBack = false, to } = manifest;
  if (log) {
    const size = log.size.toLocaleString("en");
    progress.say(`It is complete for the log ${log.origin} at ${size} entries.`);
  }
  const path = given.text("manifest");
  if (path !== undefined) {
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    await writeFile(toPath(path), text, { mode: 0o600 });
  }
  // It ends earlier than it was asked to.
  if (heldBack)
    progress.say(
      `It has what was collected before ${to}: something was being collected for too long. Export the rest later, with --start ${to}.`,
    );
}

async function toStandardOutput(given: Given, asked: Asked, signal: AbortSignal): Promise<number> {
  const part = await readPart(given, { asked, after: undefined, signal, write: writeOut });
  assertWhole(part.manifest.count, part);
  given.progress.say(`${part.manifest.count.toLocaleString("en")} records.`);
  await tellEnd(given, part.manifest);
  return 0;
}

function writeOut(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(toUnwritable(error)) : resolve()));
  });
}

/** Writes until the file is whole: a connection that breaks is taken up where the manifest allows. */
async function toFile(given: Given, writing: Writing): Promise<number> {
  const { progress } = given;
  const { file, signal } = writing;
  const work = () => writePart(given, writing);
  const { count, manifest } = await retry(work, toRetryOptions({ signal, progress }));
  progress.say(`${count.toLocaleString("en")} records in ${file.path}: complete and checked.`);
  await tellEnd(given, manifest);
  return 0;
}

interface Writing {
  asked: Asked;
  file: ExportFile;
  signal: AbortSignal;
}

/** Writes what a file lacks; answers how many records it has then, and its manifest. */
async function writePart(
  given: Given,
  { asked, file, signal }: Writing,
): Promise<{ count: number; manifest: Manifest }> {
  const after = await file.cut(given.client, signal);
  const { write, begin, count: countBefore } = file;
  const part = await readPart(given, { asked, after, signal, write, begin, countBefore });
  const count = countBefore + part.manifest.count;
  assertWhole(count, part);
  return { count, manifest: await file.finish(part.manifest) };
}

function assertWhole(count: number, { manifest, sha256, bytes }: Part): void {
  if (manifest.complete && manifest.sha256 === sha256 && manifest.bytes === bytes) return;
  throw new CommandError(
    `The file is not what the service wrote (${count} records): its bytes differ from the manifest. Export again.`,
  );
}

function toInterrupted(file: ExportFile): CommandError {
  return new CommandError(`Interrupted. Go on with: avow export … -o ${file.path} --resume`);
}

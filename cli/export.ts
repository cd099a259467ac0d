import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { finished } from "node:stream/promises";
import { type Given, readArguments, readChoice } from "./arguments.ts";
import { sleep, toReason, toWaitMs } from "./client.ts";
import { CommandError, UsageError } from "./errors.ts";
import { type ExportFile, openExportFile } from "./export-file.ts";
import { type Asked, type Manifest, formats, readPart } from "./export-part.ts";

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
  // npm runs its scripts in the folder of the package.
  const path = output === undefined ? undefined : resolve(process.env["INIT_CWD"] ?? "", output);
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
function readFilters(given: Given): Record<string, string> {
  const collection = given.text("collection");
  if (collection !== undefined) readChoice("collection", collection, collections);
  const accept = given.text("accept");
  if (accept !== undefined) readChoice("accept", accept, answers);
  const filters: Record<string, string> = {};
  for (const name of ["start", "end", "collection", "identifier", "visitor", "accept"]) {
    const value = given.text(name);
    if (value !== undefined) filters[name === "visitor" ? "token" : name] = value;
  }
  return filters;
}

/** Tells which state of the log a file is complete for, and keeps the manifest where that is asked for. */
async function tellLog(given: Given, manifest: Manifest): Promise<void> {
  const { log } = manifest;
  if (log)
    given.progress.say(
      `It is complete for the log ${log.origin} at ${log.size.toLocaleString("en")} entries.`,
    );
  const path = given.text("manifest");
  if (path !== undefined)
    await writeFile(
      resolve(process.env["INIT_CWD"] ?? "", path),
      `${JSON.stringify(manifest, null, 2)}\n`,
      { mode: 0o600 },
    );
  sayIfHeldBack(given, manifest);
}

/** Tells of an export that ends earlier than it was asked to. */
function sayIfHeldBack(given: Given, { heldBack = false, to }: Manifest): void {
  if (!heldBack) return;
  given.progress.say(
    `It has what was collected before ${to}: something was being collected for too long. Export the rest later, with --start ${to}.`,
  );
}

async function toStandardOutput(given: Given, asked: Asked, signal: AbortSignal): Promise<number> {
  const out = createWriteStream("", { fd: 1, autoClose: false });
  const write = async (bytes: Uint8Array): Promise<void> => {
    if (!out.write(bytes)) await new Promise<void>((done) => out.once("drain", () => done()));
  };
  const part = await readPart(given, { asked, after: undefined, signal, write });
  out.end();
  await finished(out);
  assertWhole(part.manifest.count, part);
  given.progress.clear();
  given.progress.say(`${part.manifest.count.toLocaleString("en")} records.`);
  await tellLog(given, part.manifest);
  return 0;
}

/** Writes until the file is whole: a connection that breaks is taken up where the manifest allows. */
async function toFile(
  given: Given,
  { asked, file, signal }: { asked: Asked; file: ExportFile; signal: AbortSignal },
): Promise<number> {
  const { progress } = given;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const after = await file.cut(given.client, signal);
      const part = await readPart(given, {
        asked,
        after,
        signal,
        write: file.write,
        begin: file.begin,
        countBefore: file.count,
      });
      assertWhole(file.count + part.manifest.count, part);
      const count = file.count + part.manifest.count;
      const whole = await file.finish(part.manifest);
      progress.clear();
      progress.say(`${count.toLocaleString("en")} records in ${file.path}: complete and checked.`);
      await tellLog(given, whole);
      return 0;
    } catch (error) {
      const waitMs = signal.aborted ? undefined : toWaitMs(error, attempt);
      if (waitMs === undefined) throw error;
      progress.clear();
      progress.say(`${toReason(error)} Trying again …`);
      await sleep(waitMs, signal);
    }
  }
}

function assertWhole(
  count: number,
  { manifest, sha256, bytes }: Awaited<ReturnType<typeof readPart>>,
): void {
  if (manifest.complete && manifest.sha256 === sha256 && manifest.bytes === bytes) return;
  throw new CommandError(
    `The file is not what the service wrote (${count} records): its bytes differ from the manifest. Export again.`,
  );
}

function toInterrupted(file: ExportFile): CommandError {
  return new CommandError(`Interrupted. Go on with: avow export … -o ${file.path} --resume`);
}

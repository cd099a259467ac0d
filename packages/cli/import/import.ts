import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import {
  type Import,
  getImport,
  getRefusedLines,
  importConsents as sendImport,
} from "@avow/client/operations";
import { sleep } from "@avow/client/retry";
import { type Arguments, readArguments, readChoice } from "../terminal/arguments.ts";
import { CommandError, UsageError } from "../terminal/errors.ts";
import { toPath } from "../terminal/path.ts";
import { listReasons } from "./rejected.ts";

const help = `Usage: avow import PROJECT FILE [--format csv|ndjson] [--dry-run]

Imports consents from a file into a project, each with its date. Importing a file twice adds nothing:
after a failure, import it again. A .gz file is sent as it is.

CSV: cells are separated by ";", and the first line names the columns:
  token;collection;identifier;accept;date;value;preferences
NDJSON: one JSON object in each line with the same names, or the output of avow export.

  --format FORMAT   csv or ndjson (default: by the file's name)
  --dry-run         only check the file, and report what an import would do
`;
const formats = ["csv", "ndjson"] as const;
const types = { csv: "text/csv", ndjson: "application/x-ndjson" };
const POLL_MS = 500;
const REASONS_SHOWN = 10;

/** Runs `avow import`; returns the exit status. */
export async function importConsents(args: string[], signal: AbortSignal): Promise<number> {
  const options = { format: { type: "string" }, "dry-run": { type: "boolean" } } as const;
  const positionals = ["PROJECT", "FILE"];
  const given = readArguments(args, { help, options, positionals });
  if (!given) return 0;
  const [projectId = "", name = ""] = given.positionals;
  const file = toPath(name);
  const format = readChoice("format", given.text("format") ?? toFormat(file), formats);
  const sent = await upload(given, { projectId, file, format, signal });
  const ended = await follow(given, sent, signal);
  return reportEnd(given, ended, signal);
}

function toFormat(file: string): string {
  const [, ending = ""] = /\.([a-z]+)(\.gz)?$/.exec(file.toLowerCase()) ?? [];
  if (ending === "jsonl") return "ndjson";
  if (formats.some((format) => format === ending)) return ending;
  throw new UsageError(`Name the format of ${file}: --format csv or --format ndjson.`);
}

interface Upload {
  projectId: string;
  file: string;
  format: (typeof formats)[number];
  signal: AbortSignal;
}

async function upload(
  { client, progress, is }: Arguments,
  { projectId, file, format, signal }: Upload,
): Promise<Import> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new UsageError(`There is no file ${file}.`);
  const total = found.size;
  let done = 0;
  const read = async function* () {
    for await (const block of createReadStream(file) as AsyncIterable<Buffer>) {
      done += block.length;
      progress.show({ title: "Sending", done, total, unit: "bytes" });
      yield block;
    }
  };
  const headers = {
    "content-type": types[format],
    ...(file.toLowerCase().endsWith(".gz") ? { "content-encoding": "gzip" } : {}),
  };
  const query = is("dry-run") ? { dryRun: true } : {};
  const input = { path: { projectId }, query, body: ReadableStream.from(read()) };
  const answer = await client.sendFile(sendImport, input, { signal, headers });
  return (await answer.json()) as Import;
}

/** Polls until the import has finished. */
async function follow(
  { client, progress }: Arguments,
  sent: Import,
  signal: AbortSignal,
): Promise<Import> {
  const { id, projectId } = sent;
  const input = { path: { projectId, id } };
  try {
    for (let job = sent; ; job = await client.send(getImport, input, { signal })) {
      if (job.status === "Done" || job.status === "Error") return job;
      const title = job.dryRun ? "Checking" : "Importing";
      const note = job.refused > 0 ? `${job.refused.toLocaleString("en")} rejected` : undefined;
      progress.show({
        title,
        done: job.progress,
        total: 1,
        unit: "records",
        count: job.read,
        note,
      });
      await sleep(POLL_MS, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    progress.clear();
    throw new CommandError(
      `The import ${id} continues on the service. Follow it, or cancel it with DELETE, at ${client.toAddress(getImport, input)}`,
    );
  }
}

async function reportEnd(given: Arguments, job: Import, signal: AbortSignal): Promise<number> {
  const { client, progress } = given;
  progress.clear();
  const [read, imported, known, refused] = [job.read, job.imported, job.known, job.refused].map(
    (count) => count.toLocaleString("en"),
  );
  const would = job.dryRun ? "would be imported" : "imported";
  progress.say(`${read} read: ${imported} ${would}, ${known} already known, ${refused} rejected.`);
  if (job.links.refused !== undefined) {
    const input = { path: { projectId: job.projectId, id: job.id } };
    const answer = await client.sendFile(getRefusedLines, input, { signal });
    for (const line of await listReasons(answer, REASONS_SHOWN)) progress.say(`  ${line}`);
    progress.say(
      `All rejected lines, with their reasons: ${client.toAddress(getRefusedLines, input)}`,
    );
  }
  if (job.status === "Error") throw new CommandError(`The import failed. ${job.message ?? ""}`);
  return job.refused > 0 ? 1 : 0;
}

import { open, rename, rm, stat } from "node:fs/promises";
import { openArchive } from "./archive.ts";
import { type Arguments, readArguments, readChoice } from "../terminal/arguments.ts";
import { getDossier } from "@avow/client/operations";
import { retry } from "@avow/client/retry";
import { CommandError, UsageError } from "../terminal/errors.ts";
import { toPath } from "../terminal/path.ts";
import { toRetryOptions } from "../terminal/retries.ts";
import { checkSums } from "./sums.ts";

const help = `Usage: avow dossier PROJECT --visitor TOKEN | --sample N | --start INSTANT --end INSTANT …

Writes an audit package (ZIP): consents with their proofs, the texts that were shown, the page that
checks proofs, and an index to read. Its files are checked against its SHA256SUMS; avow verify FILE
checks the proofs.

  --visitor TOKEN    every consent of this visitor's token
  --sample N         a random sample of N consents, of the period if one is given
  --seed TEXT        the seed of the sample: the same seed draws the same consents. The auditor should
                     choose it
  --start INSTANT    the start of the period, inclusive: a date (2026-01-31, UTC), or a date and time
  --end INSTANT      the end of the period: a date is included, a time (2026-01-31T09:30:00Z) is not
  --language en|fr   the language of the index and its texts (default: en)
  -o, --output FILE  the output file (default: dossier-PROJECT.zip)
`;
const options = {
  visitor: { type: "string" },
  sample: { type: "string" },
  seed: { type: "string" },
  start: { type: "string" },
  end: { type: "string" },
  language: { type: "string" },
  output: { type: "string", short: "o" },
} as const;

type Query = NonNullable<NonNullable<typeof getDossier.input>["query"]>;

/** The signature of a local file header of ZIP. */
const fileHead = Buffer.from("PK\u0003\u0004", "latin1");

/** Runs `avow dossier`; returns the exit status. */
export async function writeAuditPackage(args: string[], signal: AbortSignal): Promise<number> {
  const given = readArguments(args, { help, options, positionals: ["PROJECT"] });
  if (!given) return 0;
  const [projectId = ""] = given.positionals;
  const name = given.text("output") ?? `dossier-${projectId}.zip`;
  const path = toPath(name);
  const query = readQuery(given);
  if (await stat(path).catch(() => undefined))
    throw new UsageError(`${path} already exists. Remove it, or name another file.`);
  const part = `${path}.part`;
  try {
    const { progress } = given;
    // An interrupted download starts over.
    const work = () => fetchArchive(given, { projectId, query, part, signal });
    const count = await retry(work, toRetryOptions({ signal, progress }));
    await assertWhole(part);
    await rename(part, path);
    progress.say(`${count} consents in ${path}: complete, and matches its SHA256SUMS.`);
    progress.say(`Check the proofs: avow verify ${name} --key KEY`);
    return 0;
  } finally {
    await rm(part, { force: true });
  }
}

/** The API's `token` is `--visitor` here, because `--token` is the access token. */
function readQuery({ text }: Arguments): Query {
  const query: Query = { language: readChoice("language", text("language") ?? "en", ["en", "fr"]) };
  for (const name of ["visitor", "seed", "start", "end"] as const) {
    const value = text(name);
    if (value !== undefined) query[name === "visitor" ? "token" : name] = value;
  }
  const sample = text("sample");
  if (sample !== undefined) query.sample = Number(sample);
  const isNamed = (["token", "sample", "start", "end"] as const).some((name) => name in query);
  if (!isNamed) throw new UsageError("Pass --visitor, --sample, or --start and --end.");
  if ("token" in query && "sample" in query)
    throw new UsageError("--visitor and --sample cannot be combined.");
  return query;
}

/** Downloads an archive into a file; returns the number of its consents. */
async function fetchArchive(
  { client, progress }: Arguments,
  {
    projectId,
    query,
    part,
    signal,
  }: { projectId: string; query: Query; part: string; signal: AbortSignal },
): Promise<string> {
  const answer = await client.sendFile(getDossier, { path: { projectId }, query }, { signal });
  const files = Number(answer.headers.get("x-dossier-files") ?? Number.NaN);
  const total = Number.isFinite(files) ? files : undefined;
  await using file = await openPart(part);
  const counter = openFileCounter();
  let bytes = 0;
  for await (const block of answer.body ?? []) {
    await file.write(block);
    bytes += block.length;
    const done = counter.add(block);
    progress.show({ title: "Audit package", done, total, unit: "bytes", count: bytes });
  }
  await file.sync();
  return answer.headers.get("x-dossier-consents") ?? "";
}

async function openPart(part: string) {
  try {
    return await open(part, "w", 0o600);
  } catch (error) {
    throw new CommandError(`${part} cannot be written.`, { cause: error });
  }
}

/** Counts local file headers for the progress bar, also across two blocks. */
function openFileCounter() {
  let count = 0;
  let rest: Uint8Array = new Uint8Array();
  return {
    add(block: Uint8Array): number {
      const bytes = Buffer.concat([rest, block]);
      for (let at = bytes.indexOf(fileHead); at >= 0; at = bytes.indexOf(fileHead, at + 1))
        count += 1;
      rest = bytes.subarray(Math.max(0, bytes.length - fileHead.length + 1));
      return count;
    },
  };
}

async function assertWhole(part: string): Promise<void> {
  using archive = await openArchive(part);
  const { changed, missing, unlisted } = await checkSums(archive);
  const faulty = [...changed, ...missing, ...unlisted];
  if (faulty.length > 0)
    throw new CommandError(`The archive does not match its SHA256SUMS: ${faulty[0]}. Try again.`);
}

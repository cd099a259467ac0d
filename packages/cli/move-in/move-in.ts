import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@avow/client";
import { type ConsentTool, consentTools } from "@avow/contract/consent-tools";
import { getOnlyPositional, parseOptions, readChoice, readUrl } from "../terminal/arguments.ts";
import { CommandError, UsageError } from "../terminal/errors.ts";
import { toPath } from "../terminal/path.ts";
import { type Progress, openProgress } from "../terminal/progress.ts";
import { RETRIES } from "../terminal/retries.ts";
import type { OpenResolve } from "../scan/scan.ts";
import { convertConsents } from "./consents.ts";
import { type Conversion, MoveInError, convert } from "@avow/move-in";
import { createProposal } from "./create.ts";
import type { SourceFile } from "@avow/move-in/input";
import { FetchError, type FetchedSource, fetchSource } from "@avow/move-in/fetch-source";
import { toReportText } from "@avow/move-in/report-text";
import { readSourceFile, toSourceAddress } from "./source.ts";

const help = `Usage: avow move-in SOURCE… [--out FOLDER] [--create] [--site URL]
       avow move-in consents FILE --answers FILE --identifier ID --out FILE

Reads the configuration of another consent product (migrates it to Avow): OneTrust, Cookiebot, Didomi,
Usercentrics, Axeptio, Klaro, CookieConsent by orestbida, tarteaucitron, c15t. SOURCE is an exported
file, a script of the site, or an address: of the file that the site loads, or of a page of the site.
Scripts are read and never run.

Writes a proposal of Avow's documents and a report of what could not be mapped. It is no legal advice:
compare both banners before you publish.

  --out FOLDER         folder for proposal.json, answers.json, report.json and report.txt (default:
                       move-in)
  --site URL           address of the site, if the files do not name it
  --product NAME       ${consentTools.join(", ")}
                       (default: recognized)
  --adopt-answers      the banner adopts answers that the old product left in browsers
  --create             also create the project and its banners in the service; nothing is published
  --organization ID    the organization of the created project
  --url URL            the service (default: AVOW_URL, or http://127.0.0.1:8080)
  --token TOKEN        an access token or API key; prefer AVOW_TOKEN, which other users of the machine
                       cannot see
  --quiet              print errors only
  -h, --help           print this text

Addresses: at most 40 files of 8 MiB within a minute. Private addresses are contacted only for the host
of SOURCE.

avow move-in consents converts events of a batch export of Didomi (NDJSON, also .gz) into a file for
avow import, by answers.json of the proposal and the identifier of the cookie configuration. Check it
with avow import PROJECT FILE --dry-run.

Exit status: 0 for success, 1 for a failure, 2 for wrong usage, 130 after an interrupt (Ctrl-C).
`;
const options = {
  out: { type: "string" },
  site: { type: "string" },
  product: { type: "string" },
  "adopt-answers": { type: "boolean" },
  create: { type: "boolean" },
  organization: { type: "string" },
  answers: { type: "string" },
  identifier: { type: "string" },
  url: { type: "string" },
  token: { type: "string" },
  quiet: { type: "boolean" },
} as const;
const LINES_SHOWN = 20;

/** Runs `avow move-in`; returns the exit status. */
export async function runMoveIn(
  args: string[],
  { signal, openResolve }: { signal: AbortSignal; openResolve: OpenResolve },
): Promise<number> {
  const given = parseOptions(args, help, options);
  if (!given) return 0;
  const { values, positionals } = given;
  const progress = openProgress(values.quiet === true);
  if (positionals[0] === "consents") return moveConsents(positionals.slice(1), values, progress);
  if (positionals.length === 0)
    throw new UsageError("Missing SOURCE: a file or an address of the old configuration.");
  const site = values.site === undefined ? undefined : readSite(values.site);
  const tool = values.product === undefined ? undefined : readTool(values.product);
  const token = values.token ?? process.env["AVOW_TOKEN"] ?? "";
  if (values.create === true && token === "")
    throw new UsageError("Set AVOW_TOKEN to an access token or API key of the service.");
  const sources = await readSources(positionals, { openResolve, progress, signal });
  const conversion = toConversion(sources.files, {
    site,
    tool,
    adoptsAnswers: values["adopt-answers"] === true,
  });
  const folder = values.out ?? "move-in";
  await writeProposal(folder, conversion, sources);
  sayResult(progress, conversion, folder);
  if (values.create !== true) return 0;
  const client = createClient({ url: readUrl(values.url), token, retries: RETRIES });
  const created = await createProposal(client, conversion.proposal, {
    organizationId: values.organization,
    signal,
  });
  for (const { id, name } of created.configurations) progress.say(`Created ${name}: ${id}`);
  for (const warning of created.warnings) progress.say(`Warning: ${warning}`);
  progress.say("Nothing is published. Check the project in the admin app, then publish it there.");
  process.stdout.write(`${created.projectId}\n`);
  return 0;
}

interface Sources {
  files: SourceFile[];
  failed: { name: string; reason: string }[];
}

async function readSources(
  sources: readonly string[],
  {
    openResolve,
    progress,
    signal,
  }: { openResolve: OpenResolve; progress: Progress; signal: AbortSignal },
): Promise<Sources> {
  const read: Sources = { files: [], failed: [] };
  for (const source of sources) {
    const address = toSourceAddress(source);
    if (!address) {
      read.files.push(await readSourceFile(source));
      continue;
    }
    const resolve = await openResolve(address.hostname.replace(/^\[|\]$/g, ""));
    const onFile = (name: string): void => progress.say(`Reading ${name}`);
    const { files, failed } = await fetchAddress(address, { resolve, signal, onFile });
    read.files.push(...files.map(({ file }) => file));
    read.failed.push(...failed);
  }
  return read;
}

async function fetchAddress(...given: Parameters<typeof fetchSource>): Promise<FetchedSource> {
  try {
    return await fetchSource(...given);
  } catch (error) {
    if (error instanceof FetchError) throw new CommandError(error.message);
    throw error;
  }
}

function toConversion(files: SourceFile[], given: Parameters<typeof convert>[1]): Conversion {
  try {
    return convert(files, given);
  } catch (error) {
    if (error instanceof MoveInError) throw new CommandError(error.message);
    throw error;
  }
}

async function writeProposal(
  folder: string,
  { product, proposal, report }: Conversion,
  { files, failed }: Sources,
): Promise<void> {
  const lines = [
    ...failed.map(({ name, reason }) => ({ kind: "not mapped" as const, path: name, reason })),
    ...report.lines,
  ];
  const sources = files.map(({ name }) => name);
  const answers = proposal.answers;
  const contents = {
    "proposal.json": toJson({ project: proposal.project, cookies: proposal.cookies }),
    "answers.json": toJson(answers),
    "report.json": toJson({ product: product.name, sources, ...report, lines }),
    "report.txt": toReportText({ product: product.name, sources, ...report, lines }),
  };
  try {
    await mkdir(toPath(folder), { recursive: true });
    for (const [name, text] of Object.entries(contents))
      await writeFile(join(toPath(folder), name), text);
  } catch (error) {
    throw new CommandError(`${folder} cannot be written.`, { cause: error });
  }
}

function sayResult(
  progress: Progress,
  { product, proposal, report }: Conversion,
  folder: string,
): void {
  const [first] = proposal.cookies;
  const vendors = first?.steps?.flatMap((step) => step.vendors ?? []).length ?? 0;
  const languages = proposal.cookies.map(({ language }) => language).join(", ");
  progress.say(
    `${product.name}: ${(first?.steps?.length ?? 1) - 1} categories, ${vendors} vendors, languages ${languages}.`,
  );
  const decisions = report.lines.filter(({ kind }) => kind === "decide");
  progress.say(
    `Not or differently mapped: ${report.lines.length - decisions.length}. To decide: ${decisions.length}.`,
  );
  for (const { path, reason } of decisions.slice(0, LINES_SHOWN))
    progress.say(`  ${path}: ${reason}`);
  if (decisions.length > LINES_SHOWN) progress.say(`  and ${decisions.length - LINES_SHOWN} more`);
  progress.say(`${report.disclaimer} Everything is in ${folder}.`);
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function readSite(text: string): string {
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--site: expected the address of a site, got ${text}.`);
  return url.href;
}

function readTool(name: string): ConsentTool {
  return readChoice("product", name, consentTools);
}

async function moveConsents(
  positionals: readonly string[],
  values: { answers?: string; identifier?: string; out?: string },
  progress: Progress,
): Promise<number> {
  const file = getOnlyPositional(positionals, "FILE");
  const { answers, identifier, out: output } = values;
  if (answers === undefined || identifier === undefined || output === undefined)
    throw new UsageError("avow move-in consents needs --answers, --identifier and --out.");
  if (!/^[0-9a-f]{24}$/.test(identifier))
    throw new UsageError("--identifier: expected the id of a cookie configuration.");
  const { read, written, left } = await convertConsents({ file, answers, identifier, output });
  progress.say(`${read} events read, ${written} written to ${output}.`);
  for (const [reason, count] of left) progress.say(`  ${count} left out: ${reason}`);
  progress.say(`Check them: avow import PROJECT ${output} --format ndjson --dry-run`);
  return 0;
}

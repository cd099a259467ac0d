import { writeFile } from "node:fs/promises";
import { createSite, readSiteSurroundings } from "@avow/client/sites";
import {
  type CheckedSite,
  checkSites,
  listSiteAddresses,
  toSiteFaultText,
} from "@avow/move-in/site-check";
import { type SiteResult, createSites } from "@avow/move-in/site-creation";
import {
  type SiteRow,
  SiteTableError,
  readSiteTable,
  writeFailedSites,
} from "@avow/move-in/site-table";
import { type Arguments, readArguments } from "../terminal/arguments.ts";
import { CommandError, UsageError, toReason } from "../terminal/errors.ts";
import { toPath } from "../terminal/path.ts";
import { readBytes } from "../terminal/read-bytes.ts";

const FILE_BYTES_MAX = 4 * 1024 * 1024;

const help = `Usage: avow sites create FILE.csv [--check] [--skip-invalid] [--existing] [--failed FILE]

Creates a project for each row of a table (CSV with a header; comma, semicolon or tab; at most 500
rows; - reads standard input). Every row is checked first. A repeated run creates nothing twice.

  websiteURL     address of the site; the only required column
  title          default: the host of the address
  groups         separated by | or by commas or semicolons within quotation marks
  organization   id or name of an organization; default: none
  template       id or title of a template project

Prints the id, the address and the title of each created project.

  --check           check the rows and create nothing
  --skip-invalid    create the valid rows although others are invalid
  --existing        also create rows whose address has a project already; they are left out otherwise
  --failed FILE     write a table of the rows that were not created, with the reasons
`;

/** Runs `avow sites`; returns the exit status. */
export async function runSites(args: string[], signal: AbortSignal): Promise<number> {
  const given = readArguments(args, {
    help,
    options: {
      check: { type: "boolean" },
      "skip-invalid": { type: "boolean" },
      existing: { type: "boolean" },
      failed: { type: "string" },
    },
    positionals: ["create", "FILE.csv"],
  });
  if (!given) return 0;
  const [command, file = ""] = given.positionals;
  if (command !== "create") throw new UsageError(`Unknown command sites ${command}.`);
  const text = await readText(file);
  const rows = readRows(text);
  const surroundings = await readSiteSurroundings(given.client, listSiteAddresses(rows), signal);
  const checked = checkSites(rows, surroundings);
  const invalid = checked.filter(({ faults }) => faults.length > 0);
  const existing = checked.filter((one) => one.existing && one.faults.length === 0);
  const wanted = checked.filter(
    (one) => one.faults.length === 0 && (!one.existing || given.is("existing")),
  );
  sayChecked(given, { invalid, existing });
  given.progress.say(
    `${rows.length} rows: ${wanted.length} to create, ${invalid.length} invalid, ${rows.length - wanted.length - invalid.length} with a project already.`,
  );
  if (given.is("check")) return invalid.length > 0 ? 1 : 0;
  const isCreating = invalid.length === 0 || given.is("skip-invalid");
  const failed = isCreating ? await create(given, { text, wanted, signal }) : [];
  if (!isCreating)
    given.progress.say("Nothing was created. Correct the table, or pass --skip-invalid.");
  await writeFailed(given.text("failed"), [
    ...invalid.map(({ row, faults }) => ({ row, reason: faults.map(toSiteFaultText).join(" ") })),
    ...failed,
  ]);
  return invalid.length + failed.length > 0 ? 1 : 0;
}

/** @throws CommandError */
async function readText(file: string): Promise<string> {
  const bytes = await readBytes(file, FILE_BYTES_MAX);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(`${file} is not UTF-8. Save it as CSV in UTF-8.`);
  }
}

/** @throws CommandError */
function readRows(text: string): readonly SiteRow[] {
  try {
    return readSiteTable(text);
  } catch (error) {
    if (error instanceof SiteTableError) throw new CommandError(error.message);
    throw error;
  }
}

function sayChecked(
  { progress, is }: Arguments,
  { invalid, existing }: Record<"invalid" | "existing", readonly CheckedSite[]>,
): void {
  for (const { row, faults } of invalid)
    progress.say(`Line ${row.line}: ${faults.map(toSiteFaultText).join(" ")}`);
  for (const { row, existing: project } of existing)
    progress.say(
      `Line ${row.line}: the project “${project?.name}” (${project?.id}) has this address${is("existing") ? "" : ": left out"}.`,
    );
}

type FailedRows = { row: SiteRow; reason: string }[];

/** Creates the rows; returns those that failed. @throws the reason of the signal */
async function create(
  { client, progress }: Arguments,
  { text, wanted, signal }: { text: string; wanted: readonly CheckedSite[]; signal: AbortSignal },
): Promise<FailedRows> {
  const failed: FailedRows = [];
  let done = 0;
  const onResult = (result: SiteResult): void => {
    const { row, site } = result.checked;
    done += 1;
    progress.show({ title: "Creating", done, total: wanted.length, unit: "records" });
    if (result.kind === "created") {
      progress.clear();
      process.stdout.write(`${result.id}\t${site.websiteURL}\t${site.title}\n`);
      return;
    }
    const reason = toReason(result.error);
    failed.push({ row, reason });
    progress.say(`Line ${row.line}: ${reason}`);
  };
  await createSites(text, wanted, {
    create: (site, key) => createSite(client, site, key, signal),
    onResult,
    signal,
  });
  progress.clear();
  signal.throwIfAborted();
  progress.say(`${done - failed.length} created, ${failed.length} failed. Nothing is published.`);
  return failed;
}

/** @throws CommandError */
async function writeFailed(file: string | undefined, failed: FailedRows): Promise<void> {
  if (file === undefined || failed.length === 0) return;
  try {
    await writeFile(toPath(file), writeFailedSites(failed));
  } catch (error) {
    throw new CommandError(`${file} cannot be written.`, { cause: error });
  }
}

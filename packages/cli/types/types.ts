import { writeFile } from "node:fs/promises";
import { assertNoPositionals, parseOptions, readUrl } from "../terminal/arguments.ts";
import { CommandError, UsageError } from "../terminal/errors.ts";
import { toPath } from "../terminal/path.ts";
import { openProgress } from "../terminal/progress.ts";
import { type PublishedNames, readNames } from "./published-names.ts";

const help = `Usage: avow types --project PROJECT [--out FILE] [--environment staging]

Writes a TypeScript declaration with the names of a project's vendors and forms, from its published
file. With it, useConsent().state.vendors.typo and <ConsentGate vendor="typo"> are errors of the
compiler. Run it again after a publication that adds or removes one, and commit the file.

  --project PROJECT  the identifier of the project
  --out FILE         the file to write, such as avow.d.ts (default: standard output)
  --environment NAME production (the default) or staging
  --url URL          the service (default: AVOW_URL, or http://127.0.0.1:8080)
  --cdn URL          base address of published files (default: /cdn of the service)
  --quiet            print errors only
  -h, --help         print this text

Exit status: 0 for success, 1 for a failure, 2 for wrong usage, 130 after an interrupt (Ctrl-C).
`;
const options = {
  project: { type: "string" },
  out: { type: "string" },
  environment: { type: "string" },
  url: { type: "string" },
  cdn: { type: "string" },
  quiet: { type: "boolean" },
} as const;

/** Runs `avow types`; returns the exit status. */
export async function writeTypes(args: string[], signal: AbortSignal): Promise<number> {
  const given = parseOptions(args, help, options);
  if (!given) return 0;
  const { project, out, environment = "production", url, cdn, quiet } = given.values;
  assertNoPositionals(given.positionals);
  if (project === undefined)
    throw new UsageError("--project is missing. Add the project's identifier.");
  if (environment !== "production" && environment !== "staging")
    throw new UsageError(`--environment: expected production, staging, got ${environment}.`);
  const base = cdn === undefined ? `${readUrl(url)}/cdn` : readUrl(cdn);
  const file = encodeURIComponent(project) + (environment === "staging" ? ".staging" : "");
  const names = await readNames(`${base}/${file}.json`, signal);
  const text = toDeclaration(project, names);
  if (out === undefined) process.stdout.write(text);
  else
    await writeFile(toPath(out), text).catch((error: Error) => {
      throw new CommandError(`${out} cannot be written.`, { cause: error });
    });
  const { vendors, forms } = names;
  if (out !== undefined)
    openProgress(quiet === true).say(
      `Wrote ${out}. Vendors: ${vendors.length}. Forms: ${forms.length}.`,
    );
  return 0;
}

/** The declaration, which extends an interface of the widget's package. */
function toDeclaration(project: string, { version, vendors, forms }: PublishedNames): string {
  return `// Written by \`avow types\` from version ${version ?? 0} of the project ${JSON.stringify(project)}.
import "@avow/widget/headless";

declare module "@avow/widget/headless" {
  interface ConsentNames {
    vendor: ${toUnion(vendors)};
    form: ${toUnion(forms)};
  }
}
`;
}

function toUnion(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(" | ") || "never";
}

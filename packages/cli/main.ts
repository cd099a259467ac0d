import manifest from "./package.json" with { type: "json" };
import { writeAuditPackage } from "./audit-package/audit-package.ts";
import { exportConsents } from "./export/export.ts";
import { CommandError, UsageError, toReason, toOutputError } from "./terminal/errors.ts";
import { importConsents } from "./import/import.ts";
import { runLog } from "./log/log.ts";
import type { OpenOwnLog } from "./log/own-log.ts";
import type { OpenResolve } from "./scan/scan.ts";
import { verifyFiles } from "./verify/verify.ts";
import { writeTypes } from "./types/types.ts";
import { runWebhooks } from "./webhooks/webhooks.ts";

const help = `Usage: avow [command] …

  avow                       Start the service; avow start --help lists its settings
  avow demo                  Set up a demo shop on a running service, or on one that it starts

Without a service:

  avow types --project ID    Write the TypeScript declaration of a project's vendors and forms
  avow scan URL              Visit a site and report what runs before consent and after refusal
  avow move-in SOURCE…       Propose a project from the configuration of another consent product

With the address of a service and an access token:

  avow pull DIR              Write the configuration of a project into files
  avow plan DIR              Show what the files of a folder would change, and who is asked again
  avow apply DIR             Change the service to what the files of a folder say
  avow sites create FILE     Create a project for each row of a table
  avow export PROJECT        Export a project's consents to a file
  avow import PROJECT FILE   Import consents from a file into a project
  avow dossier PROJECT       Write an audit package: consents with their proofs
  avow verify FILE…          Check proofs of consent, without the service
  avow log check             Check the whole log, and that it was not rewritten since the last check
  avow log key, rotate       Print or rotate the log's signing keys, on the machine of the service
  avow webhooks listen       Forward events to a program on this machine

On the machine of the service:

  avow init FOLDER           Write a folder with settings and a compose file
  avow backup PLACE          Back up the database, files and keys to a folder or an S3 bucket
  avow restore PLACE         Restore a backup into an empty DATA_DIR or database
  avow migrate               Migrate the database to this version, before nodes start
  avow doctor                Check settings, database, disk, storage, mail, clock and log
  avow claim                 Print a link that makes an account an operator
  avow set-plan …            Set the plan of an organization
  avow months …              List, archive and restore old months of consents
  avow db …                  Divide the data of projects among servers
  avow rebuild               Rebuild consent states from records, or compare them

Settings are environment variables, or lines of avow.env in the working directory.
Run avow COMMAND --help for details, and avow --version for the version.
`;

const commands = {
  export: exportConsents,
  import: importConsents,
  dossier: writeAuditPackage,
  verify: verifyFiles,
  webhooks: runWebhooks,
  pull: ofCode("pullConfiguration"),
  plan: ofCode("planConfiguration"),
  apply: ofCode("applyConfiguration"),
  types: writeTypes,
  // Loads the reader of CSV, which no other command needs.
  sites: async (args: string[], signal: AbortSignal) =>
    (await import("./sites/sites.ts")).runSites(args, signal),
};

/** A command of configuration files, which load the schemas of all documents. */
function ofCode(name: "pullConfiguration" | "planConfiguration" | "applyConfiguration"): Command {
  return async (args, signal) => (await import("./code/command.ts"))[name](args, signal);
}

/** The exit status of shells after SIGINT. */
const INTERRUPTED = 130;

export type Command = (args: string[], signal: AbortSignal) => Promise<number>;

/** Commands on the machine of the service, which the service implements. */
export interface ServiceCommands {
  init: Command;
  db: Command;
  backup: Command;
  restore: Command;
  migrate: Command;
  doctor: Command;
  claim: Command;
  "set-plan": Command;
  months: Command;
  rebuild: Command;
}

/**
 * Runs the command line with the arguments of this process, and exits: with 0 for success, 1 for a failure, 2 for wrong
 * usage. `openOwnLog` opens the log of the service on this machine, which some commands of `avow log` need, and
 * `openResolve` the check of addresses that `avow scan` and `avow move-in` connect to.
 */
export async function runCommandLine({
  openOwnLog,
  openResolve,
  ...service
}: ServiceCommands & { openOwnLog: OpenOwnLog; openResolve: OpenResolve }): Promise<never> {
  process.stdout.on("error", (error) => {
    process.stderr.write(`${toReason(toOutputError(error))}\n`);
    process.exit(1);
  });
  process.exitCode = await run(process.argv.slice(2), {
    ...commands,
    ...service,
    log: (args, signal) => runLog(args, { openOwnLog, signal }),
    // Loads the parser of JavaScript, which no other command needs.
    "move-in": async (args, signal) =>
      (await import("./move-in/move-in.ts")).runMoveIn(args, { openResolve, signal }),
    // Loads the driver of Chromium, which no other command needs.
    scan: async (args, signal) =>
      (await import("./scan/scan.ts")).runScan(args, { openResolve, signal }),
  });
  // A cancelled request could otherwise keep the process alive.
  process.exit();
}

async function run(
  [name = "", ...args]: string[],
  known: Readonly<Record<string, Command>>,
): Promise<number> {
  if (name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(help);
    return 0;
  }
  if (name === "--version" || name === "-V") {
    process.stdout.write(`${manifest.version}\n`);
    return 0;
  }
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => stopping.abort(new CommandError("Interrupted.")));
  try {
    const command = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!command)
      throw new UsageError(name === "" ? "Missing command." : `Unknown command ${name}.`);
    return await command(args, stopping.signal);
  } catch (error) {
    process.stderr.write(`${toReason(error)}\n`);
    if (stopping.signal.aborted) return INTERRUPTED;
    if (!(error instanceof UsageError)) return 1;
    process.stderr.write(`See: avow ${Object.hasOwn(known, name) ? `${name} ` : ""}--help\n`);
    return 2;
  }
}

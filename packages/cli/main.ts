// npm run avow -- export PROJECT | import PROJECT FILE | dossier PROJECT: what a project has collected, out and
// in, by the HTTP API of a service; verify FILE: what is proven, without one; log: the log and its keys;
// webhooks listen: what happens, forwarded.
import { writeDossier } from "./dossier.ts";
import { exportConsents } from "./export.ts";
import { CommandError, UsageError, toReason, toUnwritable } from "./errors.ts";
import { importConsents } from "./import.ts";
import { runLog } from "./log/log.ts";
import { verifyFiles } from "./verify.ts";
import { runWebhooks } from "./webhooks/webhooks.ts";

const help = `Usage: avow <command> …

  avow export PROJECT        Write a project's consents to a file
  avow import PROJECT FILE   Read consents from a file into a project
  avow dossier PROJECT       Write an archive of consents with their proofs, for auditors
  avow verify FILE…          Check proofs of consent, without the service
  avow log check             Check the whole log: nothing was rewritten since the last time
  avow log key, rotate       The keys that the log is signed with, on the machine of the service
  avow webhooks listen       Forward what happens to a program on this machine

avow COMMAND --help tells more.
`;

const commands = {
  export: exportConsents,
  import: importConsents,
  dossier: writeDossier,
  verify: verifyFiles,
  log: runLog,
  webhooks: runWebhooks,
};

/** Interrupted, as shells tell it. */
const INTERRUPTED = 130;

process.stdout.on("error", (error) => {
  process.stderr.write(`${toReason(toUnwritable(error))}\n`);
  process.exit(1);
});
process.exitCode = await run(process.argv.slice(2));
// A request that was given up may hold the process otherwise.
process.exit();

/** Answers the exit status: 0 for all well, 1 for what failed, 2 for a wrong use. */
async function run([name = "", ...args]: string[]): Promise<number> {
  if (name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(help);
    return 0;
  }
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => stopping.abort(new CommandError("Interrupted.")));
  try {
    const command = Object.hasOwn(commands, name) ? commands[name as keyof typeof commands] : null;
    if (!command) throw new UsageError(name === "" ? "No command." : `No command ${name}.`);
    return await command(args, stopping.signal);
  } catch (error) {
    process.stderr.write(`${toReason(error)}\n`);
    if (stopping.signal.aborted) return INTERRUPTED;
    if (!(error instanceof UsageError)) return 1;
    process.stderr.write(`See: avow ${Object.hasOwn(commands, name) ? `${name} ` : ""}--help\n`);
    return 2;
  }
}

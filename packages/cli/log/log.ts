import { UsageError } from "../terminal/errors.ts";
import { checkLog } from "./check.ts";
import { printKeys, rotateKeys } from "./keys.ts";
import type { OpenOwnLog } from "./own-log.ts";

const help = `Usage: avow log <command> …

  avow log check    Check the whole log, over HTTP or with --records on the machine of the service
  avow log key      Print the keys that sign the log; on the machine of the service
  avow log rotate   Add a signing key, or remove the old ones; on the machine of the service

Run avow log COMMAND --help for details.
`;

const commands = { check: checkLog, key: printKeys, rotate: rotateKeys };

interface Running {
  signal: AbortSignal;
  openOwnLog: OpenOwnLog;
}

/** Runs `avow log COMMAND`; returns the exit status. */
export async function runLog([name = "", ...args]: string[], running: Running): Promise<number> {
  if (name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(help);
    return 0;
  }
  if (Object.hasOwn(commands, name)) return commands[name as keyof typeof commands](args, running);
  throw new UsageError(name === "" ? "Add a command of log." : `Unknown command log ${name}.`);
}

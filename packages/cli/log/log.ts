import { UsageError } from "../terminal/errors.ts";
import { checkLog } from "./check.ts";
import { printKeys, rotateKeys } from "./keys.ts";
import type { OpenOwnLog } from "./own-log.ts";

const help = `Usage: avow log <command> …

  avow log check    Check the whole log: by anybody over HTTP, or with --records on its machine
  avow log key      Print the keys that the log is signed with; on the machine of the service
  avow log rotate   Sign with a new key, or end with the old ones; on the machine of the service

avow log COMMAND --help tells more.
`;

const commands = { check: checkLog, key: printKeys, rotate: rotateKeys };

interface Running {
  signal: AbortSignal;
  openOwnLog: OpenOwnLog;
}

/** Runs `avow log COMMAND`; answers the exit status. */
export async function runLog([name = "", ...args]: string[], running: Running): Promise<number> {
  if (name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(help);
    return 0;
  }
  if (Object.hasOwn(commands, name)) return commands[name as keyof typeof commands](args, running);
  throw new UsageError(name === "" ? "Name a command of log." : `No command log ${name}.`);
}

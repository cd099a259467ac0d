import { UsageError } from "../errors.ts";
import { checkLog } from "./check.ts";

const help = `Usage: avow log <command> …

  avow log check    Check the whole log: by anybody over HTTP, or with --records on its machine
  avow log key      Print the keys that the log is signed with; on the machine of the service
  avow log rotate   Sign with a new key, or end with the old ones; on the machine of the service

avow log COMMAND --help tells more.
`;

const commands: Record<string, (args: string[], signal: AbortSignal) => Promise<number>> = {
  check: checkLog,
  // The service's own code, which checking does not need.
  key: async (args) => (await import("./keys.ts")).printKeys(args),
  rotate: async (args, signal) => (await import("./keys.ts")).rotateKeys(args, signal),
};

/** Runs `avow log COMMAND`; answers the exit status. */
export async function runLog([name = "", ...args]: string[], signal: AbortSignal): Promise<number> {
  if (name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(help);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return command(args, signal);
  throw new UsageError(name === "" ? "Name a command of log." : `No command log ${name}.`);
}

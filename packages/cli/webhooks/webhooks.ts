import { UsageError } from "../terminal/errors.ts";
import { listen } from "./listen.ts";

const help = `Usage: avow webhooks listen --forward URL

  avow webhooks listen   Forward events to a program on this machine, like a webhook

Run avow webhooks listen --help for details.
`;

/** Runs `avow webhooks COMMAND`; returns the exit status. */
export async function runWebhooks(
  [name = "", ...args]: string[],
  signal: AbortSignal,
): Promise<number> {
  if (name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(help);
    return 0;
  }
  if (name === "listen") return listen(args, signal);
  throw new UsageError(
    name === "" ? "Add a command of webhooks." : `Unknown command webhooks ${name}.`,
  );
}

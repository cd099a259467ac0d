import { UsageError } from "../terminal/errors.ts";
import { listen } from "./listen.ts";

const help = `Usage: avow webhooks listen --forward URL

  avow webhooks listen   Forward what happens to a program on this machine, as webhooks would tell it

avow webhooks listen --help tells more.
`;

/** Runs `avow webhooks COMMAND`; answers the exit status. */
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
    name === "" ? "Name a command of webhooks." : `No command webhooks ${name}.`,
  );
}

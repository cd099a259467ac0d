// npm run avow: the command line, with the log of the service on this machine. Only commands that need it load the
// service's code.
import { runCommandLine } from "@avow/cli";

await runCommandLine(async () => (await import("./own-log.ts")).openOwnLog());

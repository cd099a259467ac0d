// npm run avow: the command line, with the commands on the machine of the service. Only these load the service's code.
import { runCommandLine } from "@avow/cli";

await runCommandLine({
  openOwnLog: async () => (await import("./own-log.ts")).openOwnLog(),
  backup: async (args, signal) =>
    (await import("./backup/backup-command.ts")).runBackup(args, signal),
  restore: async (args, signal) =>
    (await import("./backup/restore-command.ts")).runRestore(args, signal),
  migrate: async (args, signal) => (await import("./migrate.ts")).runMigrate(args, signal),
  doctor: async (args) => (await import("./doctor/doctor-command.ts")).runDoctor(args),
});

// The command line, with the commands on the machine of the service. Only these load the service's code.
import { type Command, runCommandLine } from "@avow/cli";

await runCommandLine({
  openOwnLog: async () => (await import("./own-log.ts")).openOwnLog(),
  openResolve: async (ownHost) => {
    const { openResolver } = await import("../platform/outbound/resolver.ts");
    return openResolver({ allowed: [], ownHost });
  },
  backup: own(async () => (await import("./backup/backup-command.ts")).runBackup),
  restore: own(async () => (await import("./backup/restore-command.ts")).runRestore),
  migrate: own(async () => (await import("./migrate.ts")).runMigrate),
  doctor: own(async () => (await import("./doctor/doctor-command.ts")).runDoctor),
  claim: own(async () => (await import("./claim.ts")).runClaim),
  "set-plan": own(async () => (await import("./plan.ts")).runPlan),
  months: own(async () => (await import("./months.ts")).runMonthsCommand),
  rebuild: own(async () => (await import("./rebuild.ts")).runRebuild),
  db: own(async () => (await import("./db/db-command.ts")).runDb),
  init: own(async () => (await import("./init/init-command.ts")).runInit),
});

/** A command that is loaded when it runs, with errors that say how to fix them. */
function own(load: () => Promise<Command>): Command {
  return async (args, signal) => {
    const command = await load();
    try {
      return await command(args, signal);
    } catch (error) {
      throw (await import("./operator.ts")).toOperatorError(error);
    }
  };
}

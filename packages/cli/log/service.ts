// What the commands on the machine of the service share: its settings and its database.
import { pino } from "pino";
import { type Config, type Secrets, loadConfig } from "../../server/config/config.ts";
import { findLogOrigin } from "../../server/modules/evidence/log/origin.ts";
import type { Db } from "../../server/platform/db/db.ts";
import { openDatabase } from "../../server/platform/db/open.ts";
import { codeOf } from "../../server/platform/errors.ts";
import { openAddress } from "@avow/postgres/address";
import { CommandError } from "../errors.ts";

/** The service's database, and what its log is and is signed with. */
export interface Service extends AsyncDisposable {
  db: Db;
  config: Config;
  secrets: Secrets;
  /** Where the log's keys are; the setting where it is given. */
  place: { dataDir: string; origin: string; keys: string | undefined };
  /** Whether no service runs on it, as far as can be told: with DATABASE_URL it cannot. */
  isStopped: boolean;
}

/** Opens the database that the service uses, whether it is running or not. */
export async function openService(): Promise<Service> {
  const log = pino({ level: "warn" }, pino.destination({ fd: 2, sync: true }));
  const { config, secrets } = loadConfig();
  await using opened = new AsyncDisposableStack();
  const address = opened.use(await openAddress({ ...config, ...secrets, log }));
  const db = openDatabase({ url: address.url, poolMax: 2, queueMax: 1_000, log });
  opened.defer(() => db.destroy());
  const { publicUrl } = config.http;
  const origin = await findLogOrigin(db, { ...config.evidence, publicUrl }).catch(toCommandError);
  const place = { dataDir: config.dataDir, origin, keys: secrets.logKeys };
  const owned = opened.move();
  const close = () => owned.disposeAsync();
  return { db, config, secrets, place, isStopped: address.isOwn, [Symbol.asyncDispose]: close };
}

function toCommandError(error: unknown): never {
  const code = codeOf(error);
  if (code === "42P01" || code === "42703")
    throw new CommandError(
      "The database is not that of this version. Start the service once, then try again.",
    );
  throw error;
}

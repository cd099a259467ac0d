import { assertNoPositionals, parseOptions } from "@avow/cli/arguments";
import { openAddress } from "@avow/postgres/address";
import { pino } from "pino";
import { loadConfig } from "../config/config.ts";
import { createClaim } from "../modules/auth/instance/claims.ts";
import { openDatabase } from "../platform/db/open.ts";
import { inTransaction } from "../platform/db/transaction.ts";

const log = pino({ level: "warn" }, pino.destination({ fd: 2, sync: true }));

const help = `Usage: avow claim

Prints a link that makes an account an operator of the installation.

Open the link within a day, and sign in or sign up there. It works once, also when there are operators already.
Works on DATABASE_URL, or else on the embedded database in DATA_DIR (default ./data), whether the service is
running or not. PUBLIC_URL must be that of the service, since the link begins with it.
`;

/** Runs `avow claim`; returns the exit status. */
export async function runClaim(args: string[]): Promise<number> {
  const parsed = parseOptions(args, help, {});
  if (!parsed) return 0;
  assertNoPositionals(parsed.positionals);
  const { config, secrets } = loadConfig();
  await using database = await openAddress({ ...config, ...secrets, log });
  const db = openDatabase({ url: database.url, poolMax: 1, queueMax: 1, log });
  try {
    const given = { publicUrl: config.http.publicUrl, now: new Date() };
    const { url, expiresAt } = await inTransaction(db, (tx) => createClaim(tx, given));
    console.log(`${url}\nThe link works once, until ${expiresAt.toISOString()}.`);
  } finally {
    await db.destroy();
  }
  return 0;
}

// Chooses the project of /demo for `npm run demo`, in the database of the service on this machine.
import { pino } from "pino";
import { findRunningPostgres } from "@avow/postgres/running";
import { loadConfig } from "../config/config.ts";
import { putDemoProject } from "../modules/demo/store.ts";
import { openDatabase } from "../platform/db/open.ts";

/**
 * Makes a project the one that /demo shows, in the database of the settings or in the given one.
 * @throws Error with the reason and what to do
 */
export async function chooseDemoProject(projectId: string, databaseUrl?: string): Promise<void> {
  const url = databaseUrl ?? (await getDatabaseUrl());
  const log = pino({ level: "silent" });
  const db = openDatabase({ url, poolMax: 1, queueMax: 1, log });
  try {
    if (await putDemoProject(db, projectId)) return;
    throw new Error("The database has no such project. Set DATA_DIR or DATABASE_URL.");
  } finally {
    await db.destroy();
  }
}

async function getDatabaseUrl(): Promise<string> {
  const { config, secrets } = loadConfig();
  const url = secrets.databaseUrl ?? (await findRunningPostgres(config.dataDir));
  if (url !== undefined) return url;
  throw new Error(`No database runs in ${config.dataDir}. Set DATA_DIR or DATABASE_URL.`);
}

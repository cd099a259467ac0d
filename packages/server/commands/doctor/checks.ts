import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { readFreeBytes } from "@avow/postgres/free-bytes";
import type { Config, Secrets } from "../../config/config.ts";
import { listArchivedFiles } from "../../modules/consents/months/months-store.ts";
import { findHead, findLogOrigin, findStoppedReason } from "../../modules/evidence/log/origin.ts";
import { readLogKeys } from "../../modules/evidence/log/keys.ts";
import type { DataDb, Db, Planes } from "../../platform/db/db.ts";
import { HOME, listBucketNames } from "../../platform/db/buckets/directory-store.ts";
import { readDatabaseFacts } from "../../platform/db/facts.ts";
import { findLastBackup } from "../../platform/db/backups.ts";
import { compareMigrations } from "../../platform/db/migrations/migrate.ts";
import { codeOf } from "../../platform/errors.ts";
import { assertSmtpAnswers } from "../../platform/mail/smtp.ts";
import { isLoopback } from "../../platform/networks.ts";
import { openObjects } from "../../platform/objects/open.ts";
import { readObject } from "../../platform/objects/objects.ts";
import { keyFiles } from "../backup/manifest.ts";

/** The result of a check. */
export interface Finding {
  name: string;
  state: "ok" | "warning" | "error";
  text: string;
  /** The remedy, unless all is well. */
  advice?: string;
}

export interface Patient {
  config: Config;
  secrets: Secrets;
  /** Both planes, or the reason why it cannot be opened. */
  database: Planes | string;
  now: () => Date;
}

type Check = (patient: Patient) => Promise<Omit<Finding, "name">>;

const GIB = 1024 ** 3;
const CLOCK_MS_MAX = 2_000;
/** A daily backup and half a day. */
const BACKUP_AGE_MS_MAX = 36 * 3_600_000;
const HEALTH_TIMEOUT_MS = 5_000;
/** Multiple of the reserve below which free space is a warning. */
const RESERVES_MIN = 8;

const ok = (text: string) => ({ state: "ok", text }) as const;
const warn = (text: string, advice: string) => ({ state: "warning", text, advice }) as const;
const fail = (text: string, advice: string) => ({ state: "error", text, advice }) as const;

const unknown = warn(
  "Not checked without the database.",
  "Correct the error of the database first.",
);

/** The checks, in the order in which their findings are printed. */
export const checks: Readonly<Record<string, Check>> = {
  address: checkAddress,
  proxies: checkProxies,
  "data folder": checkDataFolder,
  disk: checkDisk,
  database: checkDatabase,
  migrations: checkMigrations,
  clock: checkClock,
  storage: checkStorage,
  "archived months": checkArchive,
  mail: checkMail,
  backup: checkBackup,
  log: checkLog,
  service: checkService,
};

async function checkAddress({ config }: Patient) {
  const { publicUrl } = config.http;
  const { protocol, hostname } = new URL(publicUrl);
  if (isLoopback(hostname))
    return warn(
      `PUBLIC_URL is ${publicUrl}, which only this machine can reach.`,
      "Set PUBLIC_URL to the address that visitors use.",
    );
  if (protocol === "https:") return ok(`PUBLIC_URL is ${publicUrl}.`);
  return fail(
    `PUBLIC_URL is ${publicUrl}, without TLS.`,
    "Put a reverse proxy with TLS in front, and set PUBLIC_URL to its https address.",
  );
}

async function checkProxies({ config }: Patient) {
  const { trustProxy } = config.http;
  if (trustProxy === false)
    return isLoopback(new URL(config.http.publicUrl).hostname)
      ? ok("TRUST_PROXY is off: no proxy is in front.")
      : warn(
          "TRUST_PROXY is off: behind a proxy, all visitors would count as one network.",
          "Set TRUST_PROXY to the number of proxies in front of the service, if there are any.",
        );
  return ok(`TRUST_PROXY is ${JSON.stringify(trustProxy)}.`);
}

async function checkDataFolder({ config, secrets }: Patient) {
  for (const { name, setting, secret } of keyFiles) {
    if (secrets[secret] !== undefined) continue;
    const path = join(config.dataDir, name);
    const mode = await findMode(path);
    if (mode === undefined)
      return warn(`${path} is missing.`, `Start the service once, or set ${setting}.`);
    if ((mode & 0o077) !== 0)
      return fail(`${path} can be read by other users.`, `Run chmod 600 ${path}.`);
  }
  return ok(`${config.dataDir} has the keys, which only this user can read.`);
}

async function checkDisk({ config }: Patient) {
  const { dataDir, diskReserveBytes } = config;
  const free = await readFreeBytes(dataDir);
  const text = `${(free / GIB).toFixed(1)} GiB are free on the disk of ${dataDir}.`;
  if (free < diskReserveBytes) return fail(text, "Free some space: writes are answered 503.");
  if (free < diskReserveBytes * RESERVES_MIN) return warn(text, "Free some space, or add a disk.");
  return ok(text);
}

async function checkDatabase({ database, secrets }: Patient) {
  if (typeof database === "string")
    return fail(
      database,
      secrets.databaseUrl === undefined
        ? "Start the service once, or set DATA_DIR or DATABASE_URL as for the service."
        : "Check DATABASE_URL and CONSENTS_DATABASE_URL, and that the servers run.",
    );
  const facts = await readPlanes(database, readDatabaseFacts);
  const texts = facts.map(
    ({ version, sizeBytes }) => `PostgreSQL ${version}, ${(sizeBytes / GIB).toFixed(2)} GiB`,
  );
  const text = `${texts.join("; consents: ")}.`;
  const unsafe = [...new Set(facts.flatMap((one) => one.unsafe))];
  if (unsafe.length === 0) return ok(text);
  return fail(
    `${text} With ${unsafe.join(" and ")} off: a crash loses or damages data.`,
    `Set ${unsafe.map((name) => `${name} = on`).join(", ")} on the server.`,
  );
}

/** The facts of each database. */
function readPlanes<T>({ db, data }: Planes, read: (db: Db | DataDb) => Promise<T>): Promise<T[]> {
  return Promise.all([...new Set<Db | DataDb>([db, data])].map((plane) => read(plane)));
}

async function checkMigrations({ database }: Patient) {
  if (typeof database === "string") return unknown;
  const compared = await readPlanes(database, compareMigrations);
  const missing = [...new Set(compared.flatMap((one) => one.missing))];
  const newer = [...new Set(compared.flatMap((one) => one.unknown))];
  if (newer.length > 0)
    return fail(
      `The database was migrated by a newer version (${newer.join(", ")}).`,
      "Run that version, or restore a backup.",
    );
  if (missing.length > 0)
    return warn(
      `${missing.length} migrations are pending.`,
      "Back up, then start the service or run avow migrate.",
    );
  return ok("The database has the tables of this version.");
}

async function checkClock({ database, now }: Patient) {
  if (typeof database === "string") return unknown;
  const differences = await readPlanes(database, async (db) => {
    const before = now().getTime();
    const { now: there } = await readDatabaseFacts(db);
    return Math.round(there.getTime() - (before + now().getTime()) / 2);
  });
  const differenceMs = Math.max(...differences.map((ms) => Math.abs(ms)));
  const text = `The clocks of this machine and of the database differ by ${differenceMs} ms.`;
  if (differenceMs <= CLOCK_MS_MAX) return ok(text);
  return fail(text, "Synchronize both by NTP: times of consents would be wrong.");
}

async function checkStorage({ config, now }: Patient) {
  const place =
    config.objects.kind === "s3" ? `s3://${config.objects.bucket}` : config.objects.root;
  const key = `doctor-${randomBytes(6).toString("hex")}.txt`;
  const bytes = randomBytes(16);
  try {
    using objects = await openObjects(config.objects, now);
    try {
      await objects.putObject({
        key,
        bytes,
        contentType: "text/plain",
        cacheControl: "no-store",
      });
      const read = await readObject(objects, key);
      if (!read?.equals(bytes))
        return fail(`${place} returned other bytes than were written.`, "Check the storage.");
    } finally {
      await objects.deleteObject(key);
    }
  } catch (error) {
    return fail(
      toReason(error),
      "Check OBJECTS and the S3_ settings, or the rights of the folder.",
    );
  }
  return ok(`${place} can be written, read and deleted.`);
}

/** Compares the list of files with the storage, without reading them. */
async function checkArchive({ config, database: planes, now }: Patient) {
  if (typeof planes === "string") return unknown;
  const others = (await listBucketNames(planes.data)).filter((name) => name !== HOME);
  const lists = await Promise.all(
    [undefined, ...others].map((bucket) => listArchivedFiles(planes.data, bucket)),
  );
  const listed = lists.flat();
  if (listed.length === 0) return ok("No month is archived.");
  const { objects: place } = config.archive;
  const where = place.kind === "s3" ? `s3://${place.bucket}` : place.root;
  try {
    using objects = await openObjects(place, now);
    const stored = new Set<string>();
    for await (const key of objects.listKeys("archive/")) stored.add(key);
    const missing = listed.filter(({ key }) => !stored.has(key));
    const [first] = missing;
    if (!first) return ok(`All ${listed.length} files of archived months are in ${where}.`);
    const months = [...new Set(missing.map(({ month }) => month.slice(0, 7)))].toSorted();
    return fail(
      `${missing.length} of ${listed.length} files of archived months are missing in ${where}, of ${months.join(", ")}; one is ${first.key}.`,
      "Check ARCHIVE_S3_BUCKET and DATA_DIR, or restore the files from a backup: reads of these months fail.",
    );
  } catch (error) {
    return fail(
      `${where} cannot be read: ${toReason(error)}`,
      "Check the storage of archived months.",
    );
  }
}

async function checkMail({ config, secrets }: Patient) {
  const { smtp, folder } = config.mail;
  if (!smtp)
    return warn(
      `Mails are written to files in ${folder}, and not sent.`,
      "Set SMTP_URL: accounts cannot confirm their address or reset their password.",
    );
  try {
    await assertSmtpAnswers({ server: smtp, login: secrets.smtpLogin });
  } catch (error) {
    return fail(toReason(error), "Check SMTP_URL, its login, and the firewall.");
  }
  return ok(`${smtp.host}:${smtp.port} accepts the connection and the login.`);
}

async function checkBackup({ database, now }: Patient) {
  if (typeof database === "string") return unknown;
  const advice = "Run avow backup by a timer, and keep the copies on another machine.";
  const last = await findLastBackup(database.db);
  if (!last) return warn("There is no backup of this database by avow backup.", advice);
  const text = `The last backup has the data of ${toAge(last.createdAt, now())} ago.`;
  return now().getTime() - last.createdAt.getTime() > BACKUP_AGE_MS_MAX
    ? warn(text, advice)
    : ok(text);
}

async function checkLog({ database, config, secrets, now }: Patient) {
  if (typeof database === "string") return unknown;
  const { data } = database;
  const head = await findHead(data);
  if (!head) return ok("The log has no entry yet.");
  const origin = await findLogOrigin(data, {
    ...config.evidence,
    publicUrl: config.http.publicUrl,
  });
  const keys = await readLogKeys({ dataDir: config.dataDir, origin, keys: secrets.logKeys });
  const text = `The log has ${head.size.toLocaleString("en")} entries, signed ${toAge(head.signed_at, now())} ago.`;
  const stopped = await findStoppedReason(data);
  if (stopped !== undefined)
    return fail(
      `The log is stopped: ${stopped}`,
      "Entries that were published are missing: see docs/guides/operate-the-log.md.",
    );
  if (keys.some(({ verifier }) => head.keys.includes(verifier))) return ok(text);
  return fail(
    `${text} None of its keys is in log.keys or EVIDENCE_LOG_KEYS.`,
    "Restore the keys from a backup: a log with another key looks forged to those who know it.",
  );
}

async function checkService({ config }: Patient) {
  const { publicUrl } = config.http;
  const url = `${publicUrl}/health/ready`;
  try {
    const signal = AbortSignal.timeout(HEALTH_TIMEOUT_MS);
    const { status } = await fetch(url, { signal, redirect: "error" });
    if (status === 200) return ok(`${publicUrl} is ready.`);
    return fail(`${url} answers ${status}.`, "Check the log of the service, and its proxy.");
  } catch (error) {
    const reason = toReason(error instanceof Error ? (error.cause ?? error) : error);
    return warn(
      `${publicUrl} does not answer: ${reason}`,
      "Start the service, or check the proxy.",
    );
  }
}

async function findMode(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode;
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    return undefined;
  }
}

function toAge(at: Date, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - at.getTime()) / 1_000));
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}

export function toReason(error: unknown): string {
  return error instanceof Error ? error.message || codeOf(error) : String(error);
}

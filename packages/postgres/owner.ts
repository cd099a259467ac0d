import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { PostgresError } from "./errors.ts";

const SQLITE_BUSY = 5;
const READ_ATTEMPTS = 20;

/** Another process has locked the data folder. */
export class FolderInUseError extends PostgresError {
  override name = "FolderInUseError";
}

/**
 * Locks the data folder until disposal or the end of the process. The lock is SQLite's (a lock of the operating
 * system on an open file): it is atomic and leaves nothing stale after a crash. Node has no such call.
 */
export async function lockFolder(dataDir: string): Promise<Disposable> {
  const pidFile = join(dataDir, "service.pid");
  const lock = openLock(dataDir);
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (!(error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY))
      throw toUnwritable(dataDir, error);
    const pid = await findOwner(pidFile);
    throw new FolderInUseError(
      `Another Avow${pid === undefined ? "" : ` (pid ${pid})`} already runs on the data folder ${dataDir}. Stop it, or set DATA_DIR to another folder.`,
    );
  }
  writeFileSync(pidFile, `${process.pid}\n`);
  return {
    [Symbol.dispose]() {
      rmSync(pidFile, { force: true });
      lock.close();
    },
  };
}

function openLock(dataDir: string): DatabaseSync {
  try {
    return new DatabaseSync(join(dataDir, "service.lock"), { timeout: 0 });
  } catch (error) {
    throw toUnwritable(dataDir, error);
  }
}

function toUnwritable(dataDir: string, cause: unknown): PostgresError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new PostgresError(
    `DATA_DIR cannot be used: the folder ${dataDir} cannot be written to (${reason}).`,
    { cause },
  );
}

/** The owner writes its pid just after locking: a missing or dead pid is read again. */
async function findOwner(pidFile: string): Promise<number | undefined> {
  for (let attempt = 0; attempt < READ_ATTEMPTS; attempt += 1) {
    const pid = readPid(pidFile);
    if (pid !== undefined && isAlive(pid)) return pid;
    await delay(10);
  }
  return undefined;
}

function readPid(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

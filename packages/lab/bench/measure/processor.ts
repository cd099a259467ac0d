import { readFile } from "node:fs/promises";
import { ask } from "./database.ts";

/** Unit of the kernel's processor times (USER_HZ), on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/** Processor time of these processes in seconds; exited processes are omitted. */
export async function readProcessorSeconds(pids: readonly number[]): Promise<Map<number, number>> {
  const found = await Promise.all(
    pids.map(async (pid): Promise<[number, number]> => {
      const fields = await readStat(pid);
      // utime and stime are the 12th and 13th fields.
      return [pid, (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND];
    }),
  );
  return new Map(found.filter(([, seconds]) => Number.isFinite(seconds)));
}

/** Processor time of processes since `before`. */
export function secondsSince(
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
): number {
  return [...after].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0);
}

/** The children of a process, in the order of their start. */
export async function listChildren(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return text.trim() === "" ? [] : text.trim().split(" ").map(Number);
}

/** Processor time in seconds of a process and of its children, including those that have exited. */
export async function readFamilySeconds(pid: number): Promise<number> {
  const children = await readProcessorSeconds(await listChildren(pid));
  const fields = await readStat(pid);
  // cutime and cstime, of exited children, follow utime and stime.
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
  return secondsSince(new Map(), children) + own / TICKS_PER_SECOND;
}

/** The fields of the kernel's status of a process after its name, which may contain any characters. */
async function readStat(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** The PostgreSQL processes of a database. */
export async function listBackends(databaseUrl: string): Promise<number[]> {
  const rows = await ask<{ pid: number }>(
    databaseUrl,
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  return rows.map(({ pid }) => pid);
}

import { readFile, readdir } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { readMemory } from "../measure/steady.ts";

const WATCH_MS = 50;

/** Maximum resident memory in MiB, of the service and of its picture processes. */
export interface MemoryMax {
  service: number;
  children: number;
}

/** Samples the memory of a service while `work` runs. */
export async function watchMemory<T>(
  pid: number,
  work: Promise<T>,
): Promise<{ result: T; memory: MemoryMax }> {
  const ended = new AbortController();
  const memory: MemoryMax = { service: 0, children: 0 };
  const watch = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      memory.service = Math.max(memory.service, await readMemory(pid));
      memory.children = Math.max(memory.children, await sumChildren(pid));
      await delay(WATCH_MS, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  };
  const watched = watch();
  try {
    return { result: await work, memory };
  } finally {
    ended.abort();
    await watched;
  }
}

/** Resident memory of the picture processes. The processes of the database are children of the service too. */
async function sumChildren(pid: number): Promise<number> {
  let sum = 0;
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const status = await readFile(`/proc/${name}/status`, "utf8").catch(() => "");
    const command = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    const isOurs = new RegExp(`^PPid:\\s+${pid}$`, "m").test(status);
    if (isOurs && command.includes("child.ts")) sum += await readMemory(Number(name));
  }
  return sum;
}

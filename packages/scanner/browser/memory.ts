import { readFile, readdir } from "node:fs/promises";

const BYTES_OF_KIB = 1_024;

/**
 * The private memory of a process and its descendants in bytes, by Linux's /proc: anonymous and shared memory, without
 * the pages of files that processes have in common. Undefined on other systems.
 */
export async function readTreeBytes(root: number): Promise<number | undefined> {
  const all = await readProcesses();
  if (!all) return undefined;
  let bytes = 0;
  for (const pid of listTree(root, all)) bytes += all.get(pid)?.bytes ?? 0;
  return bytes;
}

/** The ids of a process and its descendants; of the process alone on other systems than Linux. */
export async function listProcesses(root: number): Promise<number[]> {
  const all = await readProcesses();
  return all ? listTree(root, all) : [root];
}

interface ProcessFacts {
  parent: number;
  bytes: number;
}

async function readProcesses(): Promise<Map<number, ProcessFacts> | undefined> {
  if (process.platform !== "linux") return undefined;
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(names.map(readProcess));
  return new Map(found.flatMap((one) => (one ? [one] : [])));
}

async function readProcess(name: string): Promise<[number, ProcessFacts] | undefined> {
  try {
    const text = await readFile(`/proc/${name}/status`, "utf8");
    const read = (field: string): number =>
      Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0);
    const kib = read("RssAnon") + read("RssShmem");
    return [Number(name), { parent: read("PPid"), bytes: kib * BYTES_OF_KIB }];
  } catch {
    // It has ended.
    return undefined;
  }
}

function listTree(root: number, all: ReadonlyMap<number, ProcessFacts>): number[] {
  const children = new Map<number, number[]>();
  for (const [pid, { parent }] of all) children.set(parent, [...(children.get(parent) ?? []), pid]);
  const found: number[] = [];
  const visit = (pid: number): void => {
    found.push(pid);
    for (const child of children.get(pid) ?? []) visit(child);
  };
  visit(root);
  return found;
}

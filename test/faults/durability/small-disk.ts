import { execFile } from "node:child_process";
import { open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { promisify } from "node:util";
import { type ServiceProcess, openDataFolder, startService } from "../lifecycle/process.ts";

const run = promisify(execFile);
/** A private mount, which disappears with the last process that sees it, even when the test is killed. */
const ownMounts = ["unshare", "--mount", "--user", "--map-root-user", "--"];
const CHUNK = Buffer.alloc(1024 * 1024, 1);

/** A service whose data folder is on a small disk of its own. */
export interface SmallDisk {
  service: ServiceProcess;
  /** The path of the data folder for this process. */
  dataDir: string;
  /** Writes a file that leaves `freeBytes` free. */
  fill: (freeBytes: number) => Promise<void>;
  /** Removes the file. */
  clear: () => Promise<void>;
}

/** The reason why no such disk can be mounted here, or false. */
export async function findObstacle(): Promise<string | false> {
  const [program = "", ...args] = ownMounts;
  try {
    await run(program, [...args, "mount", "-t", "tmpfs", "none", "/mnt"], { timeout: 10_000 });
    return false;
  } catch (error) {
    return `no disk can be mounted here: ${error instanceof Error ? error.message : String(error)}`;
  }
}

export async function startOnSmallDisk(
  t: TestContext,
  options: { diskBytes: number; reserveBytes: number },
): Promise<SmallDisk> {
  const dataDir = await openDataFolder(t);
  const mount = `mount -t tmpfs -o size=${options.diskBytes},mode=700 none "$DATA_DIR"`;
  const script = `${mount} && exec "$0" packages/server/main.ts`;
  const command = [...ownMounts, "sh", "-c", script, process.execPath];
  const env = { DISK_RESERVE_BYTES: String(options.reserveBytes) };
  const service = startService(dataDir, env, command);
  const seen = join("/proc", String(service.pid), "root", dataDir);
  const file = join(seen, "filler");
  return {
    service,
    dataDir: seen,
    async fill(freeBytes) {
      await using filler = await open(file, "w");
      const hasRoom = async (): Promise<boolean> => {
        const { bavail, bsize } = await statfs(seen);
        return bavail * bsize > freeBytes;
      };
      while (await hasRoom()) {
        // The last writes may fail although the file system still reports free space.
        const written = await filler.write(CHUNK).catch(() => undefined);
        if (!written) break;
      }
    },
    clear: () => rm(file),
  };
}

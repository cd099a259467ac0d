import { Agent } from "node:http";
import type { TestContext } from "node:test";
import { openTestDatabase } from "../../database.ts";
import { ask } from "../durability/http.ts";
import {
  type ServiceProcess,
  openDataFolder,
  startService,
  waitFor,
} from "../lifecycle/process.ts";

/** A service of several worker processes, on a database of its own. */
export interface WorkersService extends ServiceProcess {
  dataDir: string;
  /** The pid of the newest worker with this number, once it serves. */
  pidOf(number: number): Promise<number>;
  /** Log lines of a worker. */
  linesOf(number: number): LogLine[];
}

interface LogLine {
  msg: string;
  worker?: number;
  pid?: number;
  [field: string]: unknown;
}

/** Starts two workers; `env` overrides the settings. */
export async function startWorkers(
  t: TestContext,
  env: Record<string, string> = {},
): Promise<WorkersService> {
  const database = await openTestDatabase();
  const dataDir = await openDataFolder(t);
  const service = startService(dataDir, { WORKERS: "2", DATABASE_URL: database.url, ...env });
  t.after(async () => {
    service.kill("SIGKILL");
    await service.ended;
    await database[Symbol.asyncDispose]();
  });
  const linesOf = (number: number) =>
    readLines(service.output()).filter(({ worker }) => worker === number);
  return {
    ...service,
    dataDir,
    linesOf,
    pidOf: (number) =>
      waitFor(`worker ${number}`, () => {
        const started = linesOf(number).filter(({ msg }) => msg === "worker started");
        return started.at(-1)?.pid;
      }),
  };
}

/** Waits until a line with this message was logged `count` times. */
export async function waitForLine(
  service: Pick<ServiceProcess, "output">,
  message: string,
  count = 1,
): Promise<void> {
  await waitFor(`${count} × ${message}`, () => {
    const found = readLines(service.output()).filter(({ msg }) => msg === message);
    return found.length >= count || undefined;
  });
}

function readLines(output: string): LogLine[] {
  // The last line may not be complete yet.
  const lines = output.slice(0, output.lastIndexOf("\n") + 1).split("\n");
  return lines.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as LogLine] : []));
}

/** The values of a scrape, by name with labels. */
export async function readMetrics(address: string): Promise<ReadonlyMap<string, number>> {
  const agent = new Agent({ keepAlive: false });
  const { text } = await ask(`${address}/metrics`, { agent });
  const lines = text.split("\n").filter((line) => /^[a-z]/.test(line));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(" ");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

import { execFile } from "node:child_process";
import { totalmem } from "node:os";
import { promisify } from "node:util";
import { type Binaries, childEnvironment } from "./binaries.ts";
import { readFreeBytes } from "./free-bytes.ts";
import { SOCKET_NUMBER } from "./sockets.ts";

const runFile = promisify(execFile);
const MIB = 1024 * 1024;
const CONNECTIONS_MAX = 50;
const PROBE_TIMEOUT_MS = 10_000;

interface ParametersOptions {
  binaries: Binaries;
  folder: string;
  socketFolder: string;
  connectionsMax: number | undefined;
  /** false disables fsync: for tests only. */
  durable: boolean;
}

/**
 * The server's parameters, by the machine's current memory and disk space. Statements and their values are never
 * logged: they contain personal data and hashes.
 */
export async function toParameters(options: ParametersOptions): Promise<Record<string, string>> {
  const { folder, socketFolder, connectionsMax, durable } = options;
  const safe = durable ? "on" : "off";
  const { memoryMib, freeMib } = await readMachine(folder);
  const walMaxMib = clamp(freeMib / 4, { min: 64, max: 4_096 });
  return {
    listen_addresses: "",
    port: SOCKET_NUMBER,
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    max_connections: String(connectionsMax ?? CONNECTIONS_MAX),
    shared_buffers: `${clamp(memoryMib / 8, { min: 128, max: durable ? 2_048 : 128 })}MB`,
    // Checkpoints are rare: after each, the first change of a page logs the full page.
    checkpoint_timeout: "15min",
    max_wal_size: `${walMaxMib}MB`,
    min_wal_size: `${Math.min(80, walMaxMib)}MB`,
    // Commits would wait while 16 MiB of zeros are written to each new log file.
    wal_init_zero: "off",
    wal_compression: await findWalCompression(options),
    // On SSDs an index scan in order is faster than a bitmap scan that is sorted afterwards.
    random_page_cost: "1.1",
    // Compiling a query would take longer than running it.
    jit: "off",
    fsync: safe,
    synchronous_commit: safe,
    full_page_writes: safe,
    autovacuum: safe,
    logging_collector: "off",
    log_min_messages: "log",
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
    log_checkpoints: "off",
    log_autovacuum_min_duration: "-1",
  };
}

async function readMachine(folder: string): Promise<{ memoryMib: number; freeMib: number }> {
  // The container's limit; 0 if there is none.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  const freeBytes = await readFreeBytes(folder);
  return { memoryMib: Math.min(totalmem(), limit) / MIB, freeMib: freeBytes / MIB };
}

/** lz4 is much faster than pglz, but not every build has it. */
async function findWalCompression({ binaries, folder }: ParametersOptions): Promise<string> {
  const args = ["-C", "wal_compression", "-c", "wal_compression=lz4", "-D", folder];
  const options = { env: childEnvironment, timeout: PROBE_TIMEOUT_MS };
  return runFile(binaries.postgres, args, options).then(
    ({ stdout }) => stdout.trim(),
    () => "on",
  );
}

function clamp(value: number, { min, max }: { min: number; max: number }): number {
  return Math.floor(Math.min(max, Math.max(min, value)));
}

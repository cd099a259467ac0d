import { sleep } from "@avow/client/retry";
import { assertNoPositionals, parseOptions } from "../terminal/arguments.ts";
import { CommandError } from "../terminal/errors.ts";
import type { OpenOwnLog, OwnLog, RotatedKeys } from "./own-log.ts";

const keyHelp = `Usage: avow log key

Prints the verifier keys that sign the log's checkpoints, newest first, in the format of --key of
avow verify and avow log check. Send them to auditors through another channel than the service.

  -h, --help   print this text

Runs on the machine of the service with its settings: DATABASE_URL, or else the embedded database
in DATA_DIR (default ./data), whether the service is running or not.
`;
const rotateHelp = `Usage: avow log rotate [--drop-old]

Creates a new key, which signs the log's checkpoints together with the previous keys and is announced
in the log itself. A running service loads it automatically. With EVIDENCE_LOG_KEYS, the value to set
on every node is printed.

  --drop-old   ends the overlap: only the newest key signs, and the others are removed permanently.
               Auditors who have only the old keys can no longer verify that the log is yours: keep
               both for at least the time between two checks of your auditors
  -h, --help   print this text

Runs on the machine of the service with its settings: DATABASE_URL, or else the embedded database
in DATA_DIR (default ./data), whether the service is running or not.
`;
/** Timeout for a running service to load new keys; it takes about a second. */
const LOAD_TIMEOUT_MS = 8_000;
const POLL_MS = 250;

/** Runs `avow log key`; returns the exit status. */
export async function printKeys(
  args: string[],
  { openOwnLog }: { openOwnLog: OpenOwnLog },
): Promise<number> {
  const given = parseOptions(args, keyHelp, {});
  if (!given) return 0;
  assertNoPositionals(given.positionals);
  await using log = await openOwnLog();
  for (const { verifier, isSigning } of await log.listKeys()) {
    if (!isSigning) process.stdout.write("# has not signed anything yet:\n");
    process.stdout.write(`${verifier}\n`);
  }
  return 0;
}

/** Runs `avow log rotate`; returns the exit status. */
export async function rotateKeys(
  args: string[],
  { openOwnLog, signal }: { openOwnLog: OpenOwnLog; signal: AbortSignal },
): Promise<number> {
  const given = parseOptions(args, rotateHelp, { "drop-old": { type: "boolean" } });
  if (!given) return 0;
  assertNoPositionals(given.positionals);
  await using log = await openOwnLog();
  const { isStopped } = log;
  const rotated = await (given.values["drop-old"] === true ? dropOld(log) : log.addKey());
  printRotation(rotated);
  if (rotated.setting !== undefined) {
    process.stdout.write(
      `\nSet this secret on every node, and restart it:\n\n  EVIDENCE_LOG_KEYS=${rotated.setting}\n`,
    );
    return 0;
  }
  const isLoaded = !isStopped && (await waitForKeys(log, rotated.keys, signal));
  process.stdout.write(
    isLoaded
      ? "\nThe running service already signs with these keys.\n"
      : isStopped
        ? "\nThe service signs with these keys from its next start.\n"
        : "\nNo service signs with these keys yet. A service that runs with this DATA_DIR loads them within a second.\nA service with another DATA_DIR has its own log.keys file and needs the same keys.\n",
  );
  return 0;
}

/** Rejected until the new key has signed and was announced, so that auditors can learn it. */
async function dropOld(log: OwnLog): Promise<RotatedKeys> {
  const [newest, ...others] = await log.listKeys();
  if (others.length === 0)
    throw new CommandError("There is only one key. Create a new one first: avow log rotate");
  if (newest?.isSigning !== true)
    throw new CommandError(
      "The new key has not signed anything yet. Start the service with it first, so that auditors see both keys.",
    );
  if (!newest.isAnnounced)
    throw new CommandError("The log has not announced the new key yet. Try again in a moment.");
  return log.dropOldKeys();
}

function printRotation({ keys: [newest, ...others], dropped }: RotatedKeys): void {
  if (dropped.length === 0)
    process.stdout.write(
      `A new key signs the log:\n\n  ${newest}\n\ntogether with:\n\n  ${others.join("\n  ")}\n\nSend it to your auditors. When all of them have it, run: avow log rotate --drop-old\n`,
    );
  else
    process.stdout.write(
      `Only this key signs the log now:\n\n  ${newest}\n\nRemoved permanently. Keep these to verify older checkpoints:\n\n  ${dropped.join("\n  ")}\n\nFor an auditor who has only the removed keys, the log is not signed by a trusted key, unless they saved\na checkpoint that both keys signed. Send them the new key.\n`,
    );
}

/** Whether exactly these keys sign the last tree before the timeout. */
async function waitForKeys(
  log: OwnLog,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const until = performance.now() + LOAD_TIMEOUT_MS;
  for (;;) {
    if ((await log.listSigners()).join() === wanted.join()) return true;
    if (performance.now() >= until) return false;
    await sleep(POLL_MS, signal);
  }
}

import { sleep } from "@avow/client/retry";
import { assertNoPositionals, parseOptions } from "../terminal/arguments.ts";
import { CommandError } from "../terminal/errors.ts";
import type { OpenOwnLog, OwnLog, RotatedKeys } from "./own-log.ts";

const keyHelp = `Usage: avow log key

Prints the verifier keys that the log's checkpoints are signed with, the newest first, as avow verify
and avow log check take them with --key. Give them to auditors by another way than the service.

  -h, --help   this text

Works on the machine of the service, with its settings: DATABASE_URL, or else the embedded database
in DATA_DIR (default ./data), whether the service is running or not.
`;
const rotateHelp = `Usage: avow log rotate [--drop-old]

Makes a new key, which signs the log's checkpoints from now on beside the ones from before, and is
announced in the log itself. A running service takes it up by itself; with EVIDENCE_LOG_KEYS, the value
to set is printed, on every node.

  --drop-old   ends the overlap: from now on the newest key signs alone, and the others are removed
               for good. Whoever knows none but them cannot tell any more that the log is yours:
               leave both for as long as your auditors take between two checks
  -h, --help   this text

Works on the machine of the service, with its settings: DATABASE_URL, or else the embedded database
in DATA_DIR (default ./data), whether the service is running or not.
`;
/** A running service signs with other keys within a second. */
const TAKEN_UP_MS = 8_000;
const POLL_MS = 250;

/** Runs `avow log key`; answers the exit status. */
export async function printKeys(
  args: string[],
  { openOwnLog }: { openOwnLog: OpenOwnLog },
): Promise<number> {
  const given = parseOptions(args, keyHelp, {});
  if (!given) return 0;
  assertNoPositionals(given.positionals);
  await using log = await openOwnLog();
  for (const { verifier, isSigning } of await log.listKeys()) {
    if (!isSigning) process.stdout.write("# signs nothing yet:\n");
    process.stdout.write(`${verifier}\n`);
  }
  return 0;
}

/** Runs `avow log rotate`; answers the exit status. */
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
  tell(rotated);
  if (rotated.setting !== undefined) {
    process.stdout.write(
      `\nSet on every node, and restart it (this is a secret):\n\n  EVIDENCE_LOG_KEYS=${rotated.setting}\n`,
    );
    return 0;
  }
  const isTaken = !isStopped && (await waitForKeys(log, rotated.keys, signal));
  process.stdout.write(
    isTaken
      ? "\nThe running service signs so already.\n"
      : isStopped
        ? "\nThe service signs so from its next start on.\n"
        : "\nNo service signs so yet. One that runs with this DATA_DIR does within a second; others have a\nlog.keys of their own, and need the same.\n",
  );
  return 0;
}

/** Only once others could have seen the new key beside the old ones. */
async function dropOld(log: OwnLog): Promise<RotatedKeys> {
  const [newest, ...others] = await log.listKeys();
  if (others.length === 0)
    throw new CommandError("There is one key only. Make a new one first: avow log rotate");
  if (newest?.isSigning !== true)
    throw new CommandError(
      "The new key has signed nothing yet: start the service with it first, so that auditors see both.",
    );
  if (!newest.isAnnounced)
    throw new CommandError("The log has not announced the new key yet. Try again in a moment.");
  return log.dropOldKeys();
}

function tell({ keys: [newest, ...others], dropped }: RotatedKeys): void {
  if (dropped.length === 0)
    process.stdout.write(
      `A new key signs the log from now on:\n\n  ${newest}\n\nbeside:\n\n  ${others.join("\n  ")}\n\nGive it to your auditors. When all of them have it: avow log rotate --drop-old\n`,
    );
  else
    process.stdout.write(
      `From now on only this key signs the log:\n\n  ${newest}\n\nRemoved for good. Keep these to verify older checkpoints:\n\n  ${dropped.join("\n  ")}\n\nAn auditor who has only these is told that the log is not signed by a key that they trust, until you\ngive them the new key, or unless they kept a checkpoint that both keys signed.\n`,
    );
}

/** Whether the last tree is signed by just these before long. */
async function waitForKeys(
  log: OwnLog,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const until = performance.now() + TAKEN_UP_MS;
  for (;;) {
    if ((await log.listSigners()).join() === wanted.join()) return true;
    if (performance.now() >= until) return false;
    await sleep(POLL_MS, signal);
  }
}

import { PostgresError } from "@avow/postgres/errors";

/** A fault of the setup, which its message explains; any other is a fault of ours and shows its stack. */
export class StartError extends Error {
  override name = "StartError";
}

/** What people are told when the service cannot start. */
export function toStartMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StartError || error instanceof PostgresError) return error.message;
  if ("path" in error && "syscall" in error) return error.message;
  const told = toDatabaseReason(error);
  return told === undefined ? (error.stack ?? error.message) : `The database fails: ${told}`;
}

interface Setup {
  /** Absolute. */
  dataDir: string;
  /** Whether DATABASE_URL names the database. */
  external: boolean;
}

/** `error` as one that names the setting that it comes from; as it is when it comes from none. */
export function toNamedError(error: unknown, { dataDir, external }: Setup): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof StartError || error instanceof PostgresError) return error;
  const named = (message: string) => new StartError(message, { cause: error });
  const folderReason = toFolderReason(error, dataDir);
  if (folderReason !== undefined)
    return named(`DATA_DIR cannot be used: ${folderReason} (${error.message}).`);
  if (!external) return error;
  const told = toDatabaseReason(error);
  return told === undefined ? error : named(`DATABASE_URL does not work: ${told}`);
}

const folderReasons: Record<string, string> = {
  ENOTDIR: "a file is where the folder should be",
  EEXIST: "a file is where the folder should be",
  EROFS: "it is on a read-only file system",
  EACCES: "this user has no right to it",
  EPERM: "this user has no right to it",
  ENOSPC: "its file system is full",
};

function toFolderReason(error: Error, dataDir: string): string | undefined {
  const path = "path" in error && typeof error.path === "string" ? error.path : "";
  const dest = "dest" in error && typeof error.dest === "string" ? error.dest : "";
  // A folder above DATA_DIR may be the one that cannot be made.
  const isOurs = [path, dest].some(
    (at) => at === dataDir || at.startsWith(`${dataDir}/`) || (at && dataDir.startsWith(`${at}/`)),
  );
  return isOurs
    ? (folderReasons[toCode(error)] ?? "it cannot be made, read or written")
    : undefined;
}

const databaseReasons: readonly (readonly [RegExp, string])[] = [
  [/^28/, "the server refuses the user or the password"],
  [/^3D000$/, "the server has no such database"],
  [/^42501$/, "the user may not make tables there"],
  [/^(53|57P)/, "the server takes no connections now"],
  [/^(ENOTFOUND|EAI_)/, "its host is not a known name"],
  [/^(08|ECONN|ENOENT|ENET|EHOST|EPIPE|ETIMEDOUT)/, "the server does not answer"],
  [/^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/, "its certificate is not trusted"],
];

/** What pg says without a code. */
const databaseTexts: readonly (readonly [RegExp, string])[] = [
  [/does not support SSL/, "the server has no TLS, which sslmode asks for"],
  [/^SASL: .*password must be a (non-empty )?string/, "the server asks for a password"],
  [/^SASL|authentication/, "signing in failed"],
  [/^Connection terminated|timeout/, "the server does not answer"],
  [/^No connection became free/, "the server does not answer"],
];

/** Why the database cannot be used, with the driver's own words; undefined for another fault. */
function toDatabaseReason(error: Error): string | undefined {
  const code = toCode(error);
  const reason =
    databaseReasons.find(([pattern]) => pattern.test(code))?.[1] ??
    databaseTexts.find(([pattern]) => pattern.test(error.message))?.[1];
  if (reason === undefined) return undefined;
  // Trying several addresses of one name fails with an error that holds the others and says nothing.
  const told =
    error instanceof AggregateError ? error.errors.map(toText).join(", ") : toText(error);
  return `${reason} (${told}).`;
}

function toCode(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

function toText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

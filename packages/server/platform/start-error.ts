import { PostgresError } from "@avow/postgres/errors";

/** An error of the setup, explained by its message. Any other error at the start is a bug and shows its stack. */
export class StartError extends Error {
  override name = "StartError";
}

/** The message printed when the service cannot start. */
export function toStartMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StartError || error instanceof PostgresError) return error.message;
  if ("path" in error && "syscall" in error) return error.message;
  const reason = toDatabaseReason(error);
  return reason === undefined ? (error.stack ?? error.message) : `The database failed: ${reason}`;
}

interface Setup {
  /** Absolute. */
  dataDir: string;
  /** Whether DATABASE_URL names the database. */
  external: boolean;
}

/** Wraps an error that a setting causes in a `StartError` with that setting. Returns other errors unchanged. */
export function toNamedError(error: unknown, { dataDir, external }: Setup): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof StartError || error instanceof PostgresError) return error;
  const named = (message: string) => new StartError(message, { cause: error });
  const folderReason = toFolderReason(error, dataDir);
  if (folderReason !== undefined)
    return named(`DATA_DIR cannot be used: ${folderReason} (${error.message}).`);
  if (!external) return error;
  const reason = toDatabaseReason(error);
  return reason === undefined ? error : named(`DATABASE_URL does not work: ${reason}`);
}

const folderReasons: Record<string, string> = {
  ENOTDIR: "a file is in place of the folder",
  EEXIST: "a file is in place of the folder",
  EROFS: "it is on a read-only file system",
  EACCES: "this user has no permission",
  EPERM: "this user has no permission",
  ENOSPC: "its file system is full",
};

function toFolderReason(error: Error, dataDir: string): string | undefined {
  const path = "path" in error && typeof error.path === "string" ? error.path : "";
  const dest = "dest" in error && typeof error.dest === "string" ? error.dest : "";
  // A parent of DATA_DIR may be the folder that cannot be created.
  const isOurs = [path, dest].some(
    (at) => at === dataDir || at.startsWith(`${dataDir}/`) || (at && dataDir.startsWith(`${at}/`)),
  );
  return isOurs
    ? (folderReasons[toCode(error)] ?? "it cannot be created, read or written")
    : undefined;
}

const databaseReasons: readonly (readonly [RegExp, string])[] = [
  [/^28/, "the server rejects the user or the password"],
  [/^3D000$/, "the server has no such database"],
  [/^42501$/, "the user may not create tables there"],
  [/^(53|57P)/, "the server accepts no connections at the moment"],
  [/^(ENOTFOUND|EAI_)/, "its host name is unknown"],
  [/^(08|ECONN|ENOENT|ENET|EHOST|EPIPE|ETIMEDOUT)/, "the server does not respond"],
  [/^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/, "its certificate is not trusted"],
];

/** Messages of pg without a code. */
const databaseTexts: readonly (readonly [RegExp, string])[] = [
  [/does not support SSL/, "the server does not support TLS, which sslmode requires"],
  [/^SASL: .*password must be a (non-empty )?string/, "the server requires a password"],
  [/^SASL|authentication/, "authentication failed"],
  [/^Connection terminated|timeout/, "the server does not respond"],
  [/^No connection became free/, "the server does not respond"],
];

/** The reason why the database cannot be used, with the driver's message; undefined for another error. */
export function toDatabaseReason(error: Error): string | undefined {
  const code = toCode(error);
  const reason =
    databaseReasons.find(([pattern]) => pattern.test(code))?.[1] ??
    databaseTexts.find(([pattern]) => pattern.test(error.message))?.[1];
  if (reason === undefined) return undefined;
  // For a name with several addresses, only the errors inside have messages.
  const message =
    error instanceof AggregateError ? error.errors.map(toText).join(", ") : toText(error);
  return `${reason} (${message}).`;
}

function toCode(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

function toText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

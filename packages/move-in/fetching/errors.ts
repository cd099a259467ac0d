/** A file cannot be fetched. The message says why, for people. */
export class FetchError extends Error {
  override readonly name = "FetchError";
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: "The host has no address. Check the spelling.",
  EAI_AGAIN: "The host's address cannot be looked up at the moment.",
  ECONNREFUSED: "The server accepts no connection.",
  ECONNRESET: "The server closed the connection.",
  EHOSTUNREACH: "The server cannot be reached.",
  ENETUNREACH: "The server cannot be reached.",
  ETIMEDOUT: "The server cannot be reached.",
  HPE_HEADER_OVERFLOW: "The server sent too long headers.",
};

/** The reason of a failed request, without details of the network. */
export function toFetchError(error: unknown): FetchError {
  if (error instanceof FetchError) return error;
  const { code, name, message } =
    error instanceof Error
      ? (error as NodeJS.ErrnoException)
      : { code: "", name: "", message: String(error) };
  // Thrown by the check of addresses; its message names the host only.
  if (name === "ForbiddenAddressError") return new FetchError(message, { cause: error });
  const known = code !== undefined && Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  const isCertificate = /^(?:CERT_|DEPTH_|ERR_TLS_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_)/.test(
    code ?? "",
  );
  const other = isCertificate
    ? `The server's certificate is not valid (${code ?? ""}).`
    : `The request failed (${code || message}).`;
  return new FetchError(known ?? other, { cause: error });
}

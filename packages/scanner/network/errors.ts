/** A scan could not be made. The message says what to do. */
export class ScanError extends Error {
  override readonly name = "ScanError";
}

/** Resolving was refused: the address is not allowed. */
export class ForbiddenAddressError extends Error {
  override readonly name = "ForbiddenAddressError";
}

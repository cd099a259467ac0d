import { resolve } from "node:path";
import type { Values } from "./settings.ts";

/** What new passwords have to be; existing ones go on. */
export interface PasswordsConfig {
  readonly lengthMin: number;
  readonly refused: readonly ("common" | "context")[];
  /** Absolute; undefined: none is refused for having been in a breach. */
  readonly breachedFile: string | undefined;
  /** Whether sessions are of use only to people with a second factor. */
  readonly isFactorRequired: boolean;
  /** For how long a mailed link sets one. */
  readonly resetMs: number;
}

const MINUTE_MS = 60_000;

export function toPasswordsConfig(values: Values): PasswordsConfig {
  const file = values.PASSWORDS_BREACHED;
  return {
    lengthMin: values.PASSWORD_LENGTH_MIN,
    refused: values.PASSWORDS_REFUSED,
    breachedFile: file === undefined ? undefined : resolve(file),
    isFactorRequired: values.SECOND_FACTOR === "required",
    resetMs: values.RESET_LINK_MINUTES * MINUTE_MS,
  };
}

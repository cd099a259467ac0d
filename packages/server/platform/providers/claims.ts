import { ProviderError } from "./provider.ts";

/** OpenID Connect Core 1.0, section 2: at most 255 characters of ASCII. */
const subjectPattern = /^[\x20-\x7e]{1,255}$/;

/** A text claim; undefined when it is missing or cannot be stored. */
export function toClaimText(value: unknown): string | undefined {
  const isText = typeof value === "string" && value !== "";
  return isText && value.isWellFormed() && !value.includes("\0") ? value : undefined;
}

/** The subject of a profile. @throws ProviderError invalid without one: all users without a subject would be one account */
export function toSubject(value: unknown): string {
  if (typeof value !== "string" || !subjectPattern.test(value))
    throw new ProviderError("invalid", "the provider returned no valid subject");
  return value;
}

import { ProviderError } from "./provider.ts";

/** OpenID Connect Core 1.0, section 2: at most 255 characters of ASCII. */
const subjectPattern = /^[\x20-\x7e]{1,255}$/;

/** The text that a provider told; undefined where there is none, or none that can be kept. */
export function toClaimText(value: unknown): string | undefined {
  const isText = typeof value === "string" && value !== "";
  return isText && value.isWellFormed() && !value.includes("\0") ? value : undefined;
}

/** Who somebody is for the provider. @throws ProviderError wrong without it: all who had none would be one */
export function toSubject(value: unknown): string {
  if (typeof value !== "string" || !subjectPattern.test(value))
    throw new ProviderError("wrong", "the provider told no subject that can be kept");
  return value;
}

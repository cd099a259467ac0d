import type { ProofBundleOut } from "../../log/schema.ts";

/**
 * A bundle as JSON, as it is answered, attached to its PDF and put into archives: always the same
 * bytes, and nothing beside what the format has, since a verifier refuses members that it does not know.
 */
export function toBundleText({
  format,
  origin,
  keys,
  consent,
  publication,
}: ProofBundleOut): string {
  return JSON.stringify({
    format,
    origin,
    keys,
    consent: toProven(consent),
    publication: publication && { ...toProven(publication), content: publication.content },
  });
}

function toProven({
  record,
  salt,
  proof,
}: ProofBundleOut["consent"] | NonNullable<ProofBundleOut["publication"]>) {
  return { record, salt, proof };
}

import type { ProofBundleOut } from "../../log/schema.ts";

/**
 * Serializes a bundle as JSON for responses, PDF attachments and archives: always to the same bytes, and without other
 * members, since verifiers reject unknown ones.
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

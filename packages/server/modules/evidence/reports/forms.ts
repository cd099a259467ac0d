import type { Db } from "../../../platform/db/db.ts";
import { findAnswersAt } from "../../consents/commitments/recorded.ts";
import type { Language, ProofBundleOut } from "../log/schema.ts";
import { findCommitted } from "../proofs/committed.ts";
import { toBundleText } from "./statement/bundle-text.ts";
import { toJsonLd } from "./json-ld/json-ld.ts";
import type { PdfMaker, PdfShare } from "./pdf/maker.ts";
import { toLogPlace } from "./statement/place.ts";
import type { ItemStates } from "./statement/choices.ts";

/** The forms of a proof by their content types; the first is what is answered by default. */
export const formTypes = {
  json: "application/json",
  pdf: "application/pdf",
  jsonld: "application/ld+json",
} as const;
export const forms = Object.keys(formTypes) as Form[];
export type Form = keyof typeof formTypes;

/** What making forms needs. */
export interface FormsApp {
  db: Db;
  pdfs: Pick<PdfMaker, "make">;
}

/**
 * A bundle in one of its forms.
 * @throws Fault busy, too-many while too many PDFs are being made, or of `share`
 */
export async function toForm(
  { db, pdfs }: FormsApp,
  bundle: ProofBundleOut,
  { form, language, share }: { form: Form; language: Language | undefined; share: PdfShare },
): Promise<Buffer> {
  if (form === "json") return Buffer.from(toBundleText(bundle));
  const states = await findStates(db, bundle);
  if (form === "jsonld") return toJsonLd(bundle, states);
  const { record, salt, proof } = bundle.consent;
  const place = { leaf: toLogPlace(proof).index, salt: Buffer.from(salt, "base64") };
  const isProven = await findCommitted(db, record, place);
  return pdfs.make(bundle, { language, states, isProven }, share);
}

/** What the token's state was with the record: the record alone does not tell a withdrawal. */
async function findStates(db: Db, { consent }: ProofBundleOut): Promise<ItemStates> {
  const { projectId, token, identifier, consentId } = consent.record;
  return (await findAnswersAt(db, { projectId, token, identifier, consentId })) ?? {};
}

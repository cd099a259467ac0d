import type { DataDb } from "../../../platform/db/db.ts";
import { findAnswersAt } from "../../consents/commitments/recorded.ts";
import type { Language, ProofBundleOut } from "../log/schema.ts";
import { findCommitted } from "../proofs/committed.ts";
import { toBundleText } from "./statement/bundle-text.ts";
import { toJsonLd } from "./json-ld/json-ld.ts";
import type { PdfMaker, PdfShare } from "./pdf/maker.ts";
import { toLogPosition } from "./statement/log-position.ts";
import type { ItemStates } from "./statement/answers.ts";

/** The formats of a proof and their content types; the first is the default. */
export const contentTypes = {
  json: "application/json",
  pdf: "application/pdf",
  jsonld: "application/ld+json",
} as const;
export const proofFormats = Object.keys(contentTypes) as ProofFormat[];
export type ProofFormat = keyof typeof contentTypes;

export interface FormatsApp {
  data: DataDb;
  pdfs: Pick<PdfMaker, "make">;
}

/**
 * Serializes a bundle in a format.
 * @throws Fault busy or too-many if too many PDFs are being made, in total or by `share`
 */
export async function renderProof(
  { data, pdfs }: FormatsApp,
  bundle: ProofBundleOut,
  {
    format,
    language,
    share,
  }: { format: ProofFormat; language: Language | undefined; share: PdfShare },
): Promise<Buffer> {
  if (format === "json") return Buffer.from(toBundleText(bundle));
  const states = await findStates(data, bundle);
  if (format === "jsonld") return toJsonLd(bundle, states);
  const { record, salt, proof } = bundle.consent;
  const place = { leaf: toLogPosition(proof).index, salt: Buffer.from(salt, "base64") };
  const isProven = await findCommitted(data, record, place);
  return pdfs.make(bundle, { language, states, isProven }, share);
}

/** The token's state after the record: the record alone does not distinguish a withdrawal from a refusal. */
async function findStates(db: DataDb, { consent }: ProofBundleOut): Promise<ItemStates> {
  const { projectId, token, identifier, consentId } = consent.record;
  return (await findAnswersAt(db, { projectId, token, identifier, consentId })) ?? {};
}

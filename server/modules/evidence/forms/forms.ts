import type { Db } from "../../../platform/db/db.ts";
import { findAnswersAt } from "../../consents/recorded.ts";
import type { ProofBundleOut } from "../schema.ts";
import { toBundleText } from "./bundle-text.ts";
import { toJsonLd } from "./json-ld.ts";
import type { PdfMaker } from "./pdf/maker.ts";
import type { ItemStates } from "./choices.ts";
import type { Language } from "./words.ts";

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
 * @throws Fault busy while too many PDFs are being made
 */
export async function toForm(
  { db, pdfs }: FormsApp,
  bundle: ProofBundleOut,
  { form, language }: { form: Form; language: Language | undefined },
): Promise<Buffer> {
  if (form === "json") return Buffer.from(toBundleText(bundle));
  const states = await findStates(db, bundle);
  return form === "jsonld" ? toJsonLd(bundle, states) : pdfs.make(bundle, { language, states });
}

/** What the token's state was with the record: the record alone does not tell a withdrawal. */
export async function findStates(db: Db, { consent }: ProofBundleOut): Promise<ItemStates> {
  const { projectId, token, identifier, consentId } = consent.record as Record<string, string>;
  if (!projectId || !token || !identifier || !consentId) return {};
  return (await findAnswersAt(db, { projectId, token, identifier, consentId })) ?? {};
}

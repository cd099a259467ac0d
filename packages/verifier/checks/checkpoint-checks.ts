import type { Checkpoint } from "../formats/checkpoint.ts";
import type { Check, Context } from "./checks.ts";
import { type SignatureReport, verifyNote } from "../formats/note.ts";
import { SIGNATURE_TYPES, type VerifierKey, isSameKey } from "../formats/verifier-key.ts";

type Signer = SignatureReport["signers"][number];

/** The input for checking the signers of a checkpoint, of a bundle or of a whole log. */
export type Signing = Pick<Context, "says" | "trusted" | "known"> & {
  bundle: Pick<Context["bundle"], "origin">;
};

/** Checks a checkpoint's log, signatures and signers. `prefix` is that of the checks' names. */
export async function checkCheckpoint(
  context: Signing,
  checkpoint: Checkpoint,
  prefix: string,
): Promise<Check[]> {
  const { bundle, says, known } = context;
  const signed = await verifyNote(checkpoint.note, known);
  const isOwn = checkpoint.origin === bundle.origin;
  return [
    {
      name: `${prefix}origin`,
      holds: isOwn,
      says: isOwn
        ? says.origin(checkpoint.origin)
        : says.originOther(bundle.origin, checkpoint.origin),
    },
    { name: `${prefix}signature`, ...toSignature(context, checkpoint, signed) },
    { name: `${prefix}signer`, ...toSigner(context, checkpoint, signed) },
    ...toWitnesses(context, signed).map((found) => ({ name: `${prefix}witness`, ...found })),
  ];
}

/** Checks that the saved checkpoint is of the same log, and signed by a known key of it. */
export async function checkKept(context: Signing, kept: Checkpoint): Promise<Check> {
  const { bundle, says, trusted, known } = context;
  const name = "kept-checkpoint";
  if (kept.origin !== bundle.origin)
    return { name, holds: false, says: says.keptOrigin(kept.origin) };
  const signed = await verifyNote(kept.note, trusted.length > 0 ? trusted : known);
  const holds = signed.failed.length === 0 && findLogSigners(signed, kept).length > 0;
  if (holds) return { name, holds, says: says.kept(kept.size) };
  const isRotated =
    signed.failed.length === 0 && trusted.some((key) => isLogKey(key) && isOf(kept, key));
  return { name, holds, says: isRotated ? says.keptRenewed : says.keptSignature };
}

function toSignature(
  { says }: Signing,
  checkpoint: Checkpoint,
  signed: SignatureReport,
): Omit<Check, "name"> {
  const [failed] = signed.failed;
  if (failed) return { holds: false, says: says.signatureFails(failed.name) };
  const signers = findLogSigners(signed, checkpoint);
  if (signers.length === 0) return { holds: false, says: says.signatureNone };
  // Signed notes allow signatures by unknown keys. A bundle lists every signer, so that a signature that was changed to
  // an unknown key is noticed.
  if (signed.unknownCount > 0)
    return { holds: null, says: says.signatureUnknown(signed.unknownCount) };
  return { holds: true, says: says.signed(toNames(signers)) };
}

function toSigner(
  { bundle, says, trusted }: Signing,
  checkpoint: Checkpoint,
  signed: SignatureReport,
): Omit<Check, "name"> {
  if (!trusted.some(isLogKey)) return { holds: null, says: says.signerUnknown(bundle.origin) };
  const all = findLogSigners(signed, checkpoint);
  const signers = all.filter(({ key }) => isIn(trusted, key));
  if (signers.length > 0) return { holds: true, says: says.signer(toNames(signers)) };
  // The log's key was rotated, or someone claims so. Only another source can confirm which.
  const isRotated = all.length > 0 && trusted.some((key) => isLogKey(key) && isOf(checkpoint, key));
  return { holds: false, says: isRotated ? says.signerRenewed(toNames(all)) : says.signerOther };
}

/** Checks witnesses if any signed or is trusted. Every trusted witness must have signed. */
function toWitnesses({ says, trusted }: Signing, signed: SignatureReport): Omit<Check, "name">[] {
  const seen = signed.signers.filter(({ key }) => !isLogKey(key));
  const missing = trusted.filter(
    (key) => !isLogKey(key) && !seen.some((signer) => isSameKey(signer.key, key)),
  );
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(", ");
    return [{ holds: false, says: says.witnessMissing(names) }];
  }
  if (seen.length === 0) return [];
  const names = seen.map(({ key, time = 0 }) => says.witnessAt(key.name, toInstant(time)));
  return [{ holds: true, says: says.witness(names.join(", ")) }];
}

/** Signers with the log's own key, which has the name of the log (tlog-policy) and signs without a time. */
function findLogSigners(signed: SignatureReport, { origin }: Checkpoint): Signer[] {
  return signed.signers.filter(({ key }) => isLogKey(key) && isOf({ origin }, key));
}

function isOf({ origin }: Pick<Checkpoint, "origin">, { name }: VerifierKey): boolean {
  return name === origin;
}

function isLogKey({ type }: VerifierKey): boolean {
  return type === SIGNATURE_TYPES.ed25519;
}

function isIn(keys: readonly VerifierKey[], key: VerifierKey): boolean {
  return keys.some((other) => isSameKey(other, key));
}

function toNames(signers: readonly Signer[]): string {
  return signers.map(({ key }) => key.text.split("+").slice(0, 2).join("+")).join(", ");
}

function toInstant(seconds: number): string {
  const date = new Date(seconds * 1_000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString();
}

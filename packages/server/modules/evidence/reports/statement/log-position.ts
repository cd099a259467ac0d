/** The position of a record in the log, parsed from its proof (C2SP tlog-proof). */
export interface LogPosition {
  index: number;
  /** Size of the signed tree. */
  size: number;
  /** The tree's root, in base64. */
  root: string;
  /** The checkpoint with its signatures. */
  checkpoint: string;
  signatures: Signature[];
}

/** A signature line of a signed note. */
interface Signature {
  /** The claimed name of the signer. */
  name: string;
  /** In hexadecimal digits. */
  keyId: string;
}

const KEY_ID_BYTES = 4;

/**
 * Parses a proof created by this service, without verifying it.
 * @throws Error for another format
 */
export function toLogPosition(proof: string): LogPosition {
  const split = proof.indexOf("\n\n");
  const index = /^index (\d+)$/m.exec(proof.slice(0, split))?.[1];
  const checkpoint = proof.slice(split + 2);
  const [, size, root] = checkpoint.split("\n");
  if (split < 0 || index === undefined || size === undefined || root === undefined)
    throw new Error("The proof is not in the format of this service.");
  const signatures = [...checkpoint.matchAll(/^— (\S+) (\S+)$/gm)].map(
    ([, name = "", value = ""]) => ({
      name,
      keyId: Buffer.from(value, "base64").subarray(0, KEY_ID_BYTES).toString("hex"),
    }),
  );
  return { index: Number(index), size: Number(size), root, checkpoint, signatures };
}

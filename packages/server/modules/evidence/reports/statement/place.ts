/** Where a record stands in the log, read out of its proof (C2SP tlog-proof). */
export interface LogPlace {
  index: number;
  /** Entries of the signed tree. */
  size: number;
  /** The tree's root, in base64. */
  root: string;
  /** The checkpoint as it was signed, with its signatures. */
  checkpoint: string;
  signatures: Signature[];
}

/** A line of a signed note: who is said to have signed, the key's id in hexadecimal digits. */
interface Signature {
  name: string;
  keyId: string;
}

const KEY_ID_BYTES = 4;

/**
 * Reads a proof of our own making; it verifies nothing.
 * @throws Error for what the service did not make
 */
export function toLogPlace(proof: string): LogPlace {
  const split = proof.indexOf("\n\n");
  const index = /^index (\d+)$/m.exec(proof.slice(0, split))?.[1];
  const checkpoint = proof.slice(split + 2);
  const [, size, root] = checkpoint.split("\n");
  if (split < 0 || index === undefined || size === undefined || root === undefined)
    throw new Error("A proof of the log is not as the log writes it.");
  const signatures = [...checkpoint.matchAll(/^— (\S+) (\S+)$/gm)].map(
    ([, name = "", value = ""]) => ({
      name,
      keyId: Buffer.from(value, "base64").subarray(0, KEY_ID_BYTES).toString("hex"),
    }),
  );
  return { index: Number(index), size: Number(size), root, checkpoint, signatures };
}

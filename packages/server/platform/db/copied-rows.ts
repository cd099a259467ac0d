/** Builds rows in the text format of COPY as bytes. */
export interface CopiedRows {
  /** Appends text that is already in the format, including tabs and line ends. */
  addText(text: string): void;
  addBytes(bytes: Uint8Array): void;
  toBytes(): Buffer;
}

/** Maximum number of UTF-8 bytes for each UTF-16 unit. */
const UTF8_MAX = 3;

/** Opens rows with an estimate of their size. */
export function openRows(bytesGuess: number): CopiedRows {
  let bytes = Buffer.allocUnsafe(Math.max(1_024, bytesGuess));
  let end = 0;
  const reserve = (more: number): void => {
    if (end + more <= bytes.length) return;
    const longer = Buffer.allocUnsafe(Math.max(bytes.length * 2, end + more));
    bytes.copy(longer, 0, 0, end);
    bytes = longer;
  };
  return {
    addText(text) {
      reserve(text.length * UTF8_MAX);
      end += bytes.write(text, end);
    },
    addBytes(part) {
      reserve(part.length);
      bytes.set(part, end);
      end += part.length;
    },
    toBytes: () => bytes.subarray(0, end),
  };
}

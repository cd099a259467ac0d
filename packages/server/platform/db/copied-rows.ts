/** Rows in the text format of COPY, which are put together as the bytes that are sent. */
export interface CopiedRows {
  /** A part of a row that is in the format already; tabs and line ends with it. */
  addText(text: string): void;
  addBytes(bytes: Uint8Array): void;
  /** All that was added. */
  toBytes(): Buffer;
}

/** A character takes so many bytes at most for each unit of a string. */
const UTF8_MAX = 3;

/** Opens rows that will take about so many bytes. */
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

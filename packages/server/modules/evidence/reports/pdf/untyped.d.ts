declare module "linebreak" {
  /** Line break opportunities (UAX #14), as offsets in UTF-16 code units. */
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): { position: number; required: boolean } | null;
  }
}

declare module "bidi-js" {
  interface Bidi {
    /** The levels (UAX #9) of each UTF-16 code unit; odd ones are right to left. */
    getEmbeddingLevels(
      text: string,
      direction?: "ltr" | "rtl" | "auto",
    ): { levels: Uint8Array; paragraphs: { start: number; end: number; level: number }[] };
    getMirroredCharacter(character: string): string | null;
  }
  export default function openBidi(): Bidi;
}

declare namespace PDFKit.Mixins {
  interface PDFAttachmentOptions {
    /** The relationship of the file to the document (PDF 2.0, 7.11.3): missing in the published types. */
    relationship?: "Source" | "Data" | "Alternative" | "Supplement" | "Unspecified";
  }
}

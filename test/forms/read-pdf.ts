import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";

/** The contents of a PDF, by an independent reader. */
export interface ReadPdf {
  text: string;
  pages: string[];
  attachments: { filename: string; content: Uint8Array }[];
  metadata: string;
  language: string | null;
}

export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  // The reader takes ownership of the bytes, so it gets a copy.
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  const pdf = await task.promise;
  const pages: string[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    pages.push(
      items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join(""),
    );
  }
  const attachments: ReadPdf["attachments"] = [];
  for (const [id, { filename }] of (await pdf.getAttachments()) ?? [])
    attachments.push({
      filename,
      content: (await pdf.getAttachmentContent(id)) ?? new Uint8Array(),
    });
  const { info, metadata } = await pdf.getMetadata();
  const language = (info as { Language?: string }).Language ?? null;
  await task.destroy();
  return {
    text: pages.join("\n"),
    pages,
    attachments,
    metadata: metadata?.getRaw() ?? "",
    language,
  };
}

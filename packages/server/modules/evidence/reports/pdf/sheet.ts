import { once } from "node:events";
import PdfDocument from "pdfkit";
import type { Fonts } from "./fonts.ts";
import { type Line, type Style, toLines } from "./lines.ts";

/** Colours that are told apart on paper, too. */
export const ink = {
  text: "#1a1f2b",
  quiet: "#5b6472",
  accent: "#1f3a5f",
  alarm: "#b3121d",
  rule: "#d5dae1",
  box: "#f3f5f8",
};

const MARGIN = 56;
export const TOP = 56;
const BOTTOM = 66;
const FOOT = 42;
const LEADING = 1.42;
/** Of a line's height, so that texts of several sizes stand on one line. */
const BASELINE = 0.74;

/** What a document says of itself. */
export interface About {
  title: string;
  subject: string;
  language: string;
  createdAt: Date;
}

/** A document that is written from top to bottom, page after page. */
export interface Sheet {
  doc: PDFKit.PDFDocument;
  fonts: Fonts;
  /** Between the margins, in points. */
  width: number;
  bottom: number;
  /** Where the next line begins, in points from the top of the page. */
  y: number;
  root: PDFKit.PDFStructureElement;
  registered: Set<string>;
  chunks: Buffer[];
}

/** How and where a text stands: `x` from the left margin. */
export interface Placed extends Style {
  color?: string;
  x?: number;
  width?: number;
  leading?: number;
}

/**
 * Opens a document of A4 pages, as PDF/A-3, tagged for readers that speak. The same texts give the same
 * bytes: the only time in it is `createdAt`.
 */
export function openSheet(fonts: Fonts, { title, subject, language, createdAt }: About): Sheet {
  const doc = new PdfDocument({
    size: "A4",
    margin: 0,
    pdfVersion: "1.7",
    subset: "PDF/A-3b",
    tagged: true,
    lang: language,
    displayTitle: true,
    bufferPages: true,
    info: {
      Title: title,
      Subject: subject,
      Producer: "Avow",
      Creator: "Avow",
      CreationDate: createdAt,
    },
  });
  const chunks: Buffer[] = [];
  doc.on("data", (chunk: Buffer) => chunks.push(chunk));
  const root = doc.struct("Document");
  doc.addStructure(root);
  return {
    doc,
    fonts,
    width: doc.page.width - 2 * MARGIN,
    bottom: doc.page.height - BOTTOM,
    y: TOP,
    root,
    registered: new Set(),
    chunks,
  };
}

/** Writes a text of any length, over pages where it has to be; `tag` is what it is in the structure. */
export function writeText(sheet: Sheet, tag: string, text: string, placed: Placed): void {
  const lines = layText(sheet, text, placed);
  sheet.root.add(sheet.doc.struct(tag, {}, () => drawLines(sheet, lines, placed)));
}

/** Writes a text in a box, if it is shorter than a page. */
export function writeBox(sheet: Sheet, tag: string, text: string, placed: Placed): void {
  const pad = 10;
  const inner = { ...placed, x: pad + 2, width: sheet.width - 2 * pad - 2 };
  const lines = layText(sheet, text, inner);
  const height = heightOf(lines, inner) + 2 * pad;
  if (height <= sheet.bottom - TOP) {
    makeRoom(sheet, height);
    const { y } = sheet;
    drawAside(sheet, "Layout", ({ doc, width }) => {
      doc.rect(MARGIN, y, width, height).fill(ink.box);
      doc.rect(MARGIN, y, 2.5, height).fill(ink.accent);
    });
  }
  sheet.y += pad;
  sheet.root.add(sheet.doc.struct(tag, {}, () => drawLines(sheet, lines, inner)));
  sheet.y += pad;
}

/** A thin line from margin to margin. */
export function drawRule(sheet: Sheet): void {
  const { y } = sheet;
  drawAside(sheet, "Layout", ({ doc, width }) => {
    doc
      .moveTo(MARGIN, y)
      .lineTo(MARGIN + width, y)
      .lineWidth(0.5)
      .stroke(ink.rule);
  });
}

/** White space; none at the top of a page. */
export function addSpace(sheet: Sheet, points: number): void {
  if (sheet.y > TOP) sheet.y += points;
}

/** Goes to a new page unless so much room is left on this one; whether it did. */
export function makeRoom(sheet: Sheet, points: number): boolean {
  if (sheet.y + points <= sheet.bottom) return false;
  sheet.doc.addPage();
  sheet.y = TOP;
  return true;
}

/** Ends the document with a foot on each page; answers its bytes. */
export async function endSheet(
  sheet: Sheet,
  toFoot: (page: number, pages: number) => { left: string; right: string },
): Promise<Buffer> {
  const { doc } = sheet;
  const { count } = doc.bufferedPageRange();
  const placed = { face: "text" as const, size: 7.5, color: ink.quiet };
  for (let page = 0; page < count; page += 1) {
    doc.switchToPage(page);
    const { left, right } = toFoot(page + 1, count);
    const y = doc.page.height - FOOT;
    const [[first], [second]] = [layText(sheet, left, placed), layText(sheet, right, placed)];
    drawAside(sheet, "Pagination", () => {
      if (first) drawLine(sheet, first, { ...placed, y });
      if (second) drawLine(sheet, second, { ...placed, x: sheet.width - second.width, y });
    });
  }
  const ended = once(doc, "end");
  doc.end();
  await ended;
  return Buffer.concat(sheet.chunks);
}

/** Lines of a text, for where it is placed. */
export function layText(sheet: Sheet, text: string, placed: Placed): Line[] {
  return toLines(sheet.fonts, text, { ...placed, width: widthOf(sheet, placed) });
}

function widthOf(sheet: Sheet, { x = 0, width = sheet.width - x }: Placed): number {
  return width;
}

/** How high lines are, in points; at least one line. */
export function heightOf(
  lines: readonly Line[],
  { size, leading = LEADING }: Pick<Placed, "size" | "leading">,
): number {
  return Math.max(1, lines.length) * size * leading;
}

/** Draws lines from `sheet.y` down, over pages. */
export function drawLines(sheet: Sheet, lines: readonly Line[], placed: Placed): void {
  for (const line of lines) {
    const height = heightOf([line], placed);
    makeRoom(sheet, height);
    drawLine(sheet, line, { ...placed, y: sheet.y });
    sheet.y += height;
  }
}

function drawLine(sheet: Sheet, line: Line, placed: Placed & { y: number }): void {
  const { x = 0, y, size, color = ink.text } = placed;
  const indent = line.isRightToLeft ? widthOf(sheet, placed) - line.width : 0;
  for (const run of line.runs) {
    sheet.doc.font(toFont(sheet, run.font), size).fillColor(color);
    const left = MARGIN + x + indent + run.x;
    const baseline = y + heightOf([line], placed) * BASELINE;
    sheet.doc.text(run.text, left, baseline, { lineBreak: false, baseline: "alphabetic" });
  }
}

/** The font's name in the document, which embeds it with the first text that needs it. */
function toFont(sheet: Sheet, font: Line["runs"][number]["font"]): string {
  if (!sheet.registered.has(font.name)) {
    sheet.doc.registerFont(font.name, font.bytes);
    sheet.registered.add(font.name);
  }
  return font.name;
}

/** Draws what is not a part of the text: readers that speak leave it out. */
function drawAside(
  sheet: Sheet,
  type: "Layout" | "Pagination",
  draw: (sheet: Sheet) => void,
): void {
  sheet.doc.markContent("Artifact", { type });
  draw(sheet);
  sheet.doc.endMarkedContent();
}

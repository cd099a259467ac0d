import { once } from "node:events";
import PdfDocument from "pdfkit";
import type { Fonts } from "./fonts.ts";
import { type Line, type Style, toLines } from "./lines.ts";

/** Colours that also differ in grayscale print. */
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
/** Position of the baseline as a fraction of the line height, so that texts of different sizes align. */
const BASELINE = 0.74;

/** The metadata of a document. */
export interface About {
  title: string;
  subject: string;
  language: string;
  createdAt: Date;
}

/** A document that is written from top to bottom. */
export interface Sheet {
  doc: PDFKit.PDFDocument;
  fonts: Fonts;
  /** Width between the margins, in points. */
  width: number;
  bottom: number;
  /** Top of the next line, in points from the top of the page. */
  y: number;
  root: PDFKit.PDFStructureElement;
  registered: Set<string>;
  chunks: Buffer[];
}

/** Style and position of a text. */
export interface TextLayout extends Style {
  color?: string;
  /** Distance from the left margin. */
  x?: number;
  width?: number;
  leading?: number;
}

/**
 * Opens a document of A4 pages in PDF/A-3, tagged for screen readers. The output is deterministic: the only time in it
 * is `createdAt`.
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

/** Writes a text of any length, across pages if necessary; `tag` is its structure type. */
export function writeText(sheet: Sheet, tag: string, text: string, layout: TextLayout): void {
  const lines = layText(sheet, text, layout);
  sheet.root.add(sheet.doc.struct(tag, {}, () => drawLines(sheet, lines, layout)));
}

/** Writes a text, in a box if it fits on a page. */
export function writeBox(sheet: Sheet, tag: string, text: string, layout: TextLayout): void {
  const pad = 10;
  const inner = { ...layout, x: pad + 2, width: sheet.width - 2 * pad - 2 };
  const lines = layText(sheet, text, inner);
  const height = heightOf(lines, inner) + 2 * pad;
  if (height <= sheet.bottom - TOP) {
    reserveSpace(sheet, height);
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

/** Draws a thin line from margin to margin. */
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

/** Adds vertical space, except at the top of a page. */
export function addSpace(sheet: Sheet, points: number): void {
  if (sheet.y > TOP) sheet.y += points;
}

/** Starts a new page unless `points` are left on this one; returns whether it did. */
export function reserveSpace(sheet: Sheet, points: number): boolean {
  if (sheet.y + points <= sheet.bottom) return false;
  sheet.doc.addPage();
  sheet.y = TOP;
  return true;
}

/** Ends the document with a footer on each page, and returns its bytes. */
export async function endSheet(
  sheet: Sheet,
  toFoot: (page: number, pages: number) => { left: string; right: string },
): Promise<Buffer> {
  const { doc } = sheet;
  const { count } = doc.bufferedPageRange();
  const layout = { face: "text" as const, size: 7.5, color: ink.quiet };
  for (let page = 0; page < count; page += 1) {
    doc.switchToPage(page);
    const { left, right } = toFoot(page + 1, count);
    const y = doc.page.height - FOOT;
    const [[first], [second]] = [layText(sheet, left, layout), layText(sheet, right, layout)];
    drawAside(sheet, "Pagination", () => {
      if (first) drawLine(sheet, first, { ...layout, y });
      if (second) drawLine(sheet, second, { ...layout, x: sheet.width - second.width, y });
    });
  }
  const ended = once(doc, "end");
  doc.end();
  await ended;
  return Buffer.concat(sheet.chunks);
}

/** Breaks a text into lines for its layout. */
export function layText(sheet: Sheet, text: string, layout: TextLayout): Line[] {
  return toLines(sheet.fonts, text, { ...layout, width: widthOf(sheet, layout) });
}

function widthOf(sheet: Sheet, { x = 0, width = sheet.width - x }: TextLayout): number {
  return width;
}

/** The height of lines, in points; at least one line. */
export function heightOf(
  lines: readonly Line[],
  { size, leading = LEADING }: Pick<TextLayout, "size" | "leading">,
): number {
  return Math.max(1, lines.length) * size * leading;
}

/** Draws lines from `sheet.y` down, across pages. */
export function drawLines(sheet: Sheet, lines: readonly Line[], layout: TextLayout): void {
  for (const line of lines) {
    const height = heightOf([line], layout);
    reserveSpace(sheet, height);
    drawLine(sheet, line, { ...layout, y: sheet.y });
    sheet.y += height;
  }
}

function drawLine(sheet: Sheet, line: Line, layout: TextLayout & { y: number }): void {
  const { x = 0, y, size, color = ink.text } = layout;
  const indent = line.isRightToLeft ? widthOf(sheet, layout) - line.width : 0;
  for (const run of line.runs) {
    sheet.doc.font(toFont(sheet, run.font), size).fillColor(color);
    const left = MARGIN + x + indent + run.x;
    const baseline = y + heightOf([line], layout) * BASELINE;
    sheet.doc.text(run.text, left, baseline, { lineBreak: false, baseline: "alphabetic" });
  }
}

/** The font's name in the document. Registers the font on first use. */
function toFont(sheet: Sheet, font: Line["runs"][number]["font"]): string {
  if (!sheet.registered.has(font.name)) {
    sheet.doc.registerFont(font.name, font.bytes);
    sheet.registered.add(font.name);
  }
  return font.name;
}

/** Draws decoration, which screen readers skip. */
function drawAside(
  sheet: Sheet,
  type: "Layout" | "Pagination",
  draw: (sheet: Sheet) => void,
): void {
  sheet.doc.markContent("Artifact", { type });
  draw(sheet);
  sheet.doc.endMarkedContent();
}

import { hash } from "node:crypto";
import { toCanonical, toEntry } from "../../log/tree/entry.ts";
import type { Language, ProofBundleOut } from "../../log/schema.ts";
import { formatFirstOfMonth } from "../statement/dates.ts";
import { toBundleText } from "../statement/bundle-text.ts";
import { toFinding } from "../statement/finding.ts";
import type { ItemStates } from "../statement/answers.ts";
import { type Statement, toStatement } from "../statement/statement.ts";
import { toWords } from "../statement/words.ts";
import type { Words } from "../statement/words-en.ts";
import { openFonts } from "./fonts.ts";
import { type Detail, writeDetails, writeHeading } from "./parts.ts";
import { toEvidenceDetails, toRecordDetails } from "./details.ts";
import { writeAnswers } from "./answers.ts";
import { writeShown } from "./texts.ts";
import { type Sheet, addSpace, endSheet, ink, openSheet, writeBox, writeText } from "./sheet.ts";

export interface PdfOptions {
  /** Default: the language of the record if it is supported, else English. */
  language?: Language | undefined;
  /** Distinguishes withdrawals from refusals. */
  states?: ItemStates;
  /** False if the record does not match its log entry: then the title does not call it a proof. */
  isProven?: boolean;
}

const ATTACHED_TYPE = "application/json";

/**
 * Renders a bundle for people and courts, with the bundle itself attached, byte for byte. The pages only repeat its
 * content. The same bundle gives the same bytes. This blocks the thread for tenths of a second: use `openPdfMaker`,
 * which runs it on a thread of its own.
 */
export async function toPdf(bundle: ProofBundleOut, options: PdfOptions = {}): Promise<Buffer> {
  const statement = toStatement(bundle, options.states);
  const { record } = statement;
  const { language, words } = toWords(options.language, record.language);
  const { isProven = true } = options;
  const title = isProven ? words.title : words.unprovenTitle;
  const sheet = openSheet(openFonts(), {
    title: `${title} ${record.consentId}`,
    subject: words.subject,
    language,
    createdAt: toDate(record.createdAt),
  });
  const attached = attach(sheet, bundle, { name: `proof-${record.consentId}.json`, words });
  writeHead(sheet, statement, { words, isProven });
  writeAnswers(sheet, statement, words);
  writeHeading(sheet, words.record.title);
  writeDetails(sheet, toRecordDetails(statement, words));
  writeShown(sheet, statement, words);
  writeHeading(sheet, words.evidence.title);
  writeText(sheet, "P", words.evidence.lead, { face: "text", size: 9, color: ink.quiet });
  addSpace(sheet, 4);
  const entry = toEntry(
    toCanonical(bundle.consent.record),
    Buffer.from(bundle.consent.salt, "base64"),
  );
  writeDetails(
    sheet,
    toEvidenceDetails(bundle, statement, { words, entry: entry.toString("hex") }),
  );
  writeVerify(sheet, words, attached);
  return endSheet(sheet, (page, pages) => ({
    left: `${title} ${record.consentId}`,
    right: words.page(page, pages),
  }));
}

/** Formats a time for people, in UTC. */
function toWrittenDate(iso: string, { locale }: Words): string {
  const form = { dateStyle: "long", timeStyle: "long", timeZone: "UTC" } as const;
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return formatFirstOfMonth(new Intl.DateTimeFormat(locale, form).format(date), locale);
}

function toDate(iso: string): Date {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? new Date(0) : date;
}

function writeHead(
  sheet: Sheet,
  statement: Statement,
  { words, isProven }: { words: Words; isProven: boolean },
): void {
  const look = { face: "bold", size: 22, leading: 1.25 } as const;
  const [title, color] = isProven ? [words.title, ink.accent] : [words.unprovenTitle, ink.alarm];
  writeText(sheet, "H1", title, { ...look, color });
  if (!isProven) {
    addSpace(sheet, 6);
    writeText(sheet, "P", words.unproven, { face: "bold", size: 11, color: ink.alarm });
  }
  addSpace(sheet, 10);
  const date = toWrittenDate(statement.record.createdAt, words);
  writeBox(sheet, "P", words.finding(toFinding(statement, date)), { face: "text", size: 11.5 });
}

function attach(
  { doc }: Sheet,
  bundle: ProofBundleOut,
  { name, words }: { name: string; words: Words },
): Detail {
  const bytes = Buffer.from(toBundleText(bundle));
  const createdAt = doc.info.CreationDate ?? new Date(0);
  doc.file(bytes, {
    name,
    type: ATTACHED_TYPE,
    description: words.subject,
    creationDate: createdAt,
    modifiedDate: createdAt,
    relationship: "Source",
  });
  const size = new Intl.NumberFormat(words.locale).format(bytes.length);
  const text = words.verify.attachmentOf(name, size, hash("sha256", bytes));
  return { label: words.verify.attachment, text, face: "mono" };
}

function writeVerify(sheet: Sheet, { verify }: Words, attached: Detail): void {
  writeHeading(sheet, verify.title);
  const file = attached.text.split(",", 1)[0] ?? "";
  for (const [at, step] of verify.steps.entries())
    writeDetails(
      sheet,
      [{ label: `${at + 1}.`, text: step.replace("{file}", file), face: "text" }],
      16,
    );
  addSpace(sheet, 4);
  writeDetails(sheet, [attached]);
}

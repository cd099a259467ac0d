import { readText } from "@avow/contract/json";
import type { ItemAnswer } from "../statement/answers.ts";
import type { Statement } from "../statement/statement.ts";
import type { Words } from "../statement/words-en.ts";
import { writeHeading } from "./parts.ts";
import { writeMore } from "./texts.ts";
import { type Sheet, addSpace, drawRule, ink, reserveSpace, writeText } from "./sheet.ts";
import { type Table, openTable, writeRow } from "./table.ts";

/** Maximum rows of the table. */
const ANSWERS_MAX = 3_000;
/** Height of two lines, in points. */
const ROW_ROOM = 34;
const DAY_MS = 86_400_000;
const columns = [
  { x: 0, width: 262 },
  { x: 270, width: 110 },
  { x: 388, width: 95 },
];

/** Writes a table of all offered items, with their answers and expiry dates. */
export function writeAnswers(sheet: Sheet, statement: Statement, words: Words): void {
  const { answers } = words;
  writeHeading(sheet, answers.title);
  const table = openTable(sheet);
  writeHead(sheet, table, words);
  const itemAnswers = listShown(statement.itemAnswers);
  for (const itemAnswer of itemAnswers.slice(0, ANSWERS_MAX)) {
    if (reserveSpace(sheet, ROW_ROOM)) writeHead(sheet, table, words);
    addSpace(sheet, 3);
    const [name, answer, until] = toCells(itemAnswer, statement, words);
    const isAccepted = itemAnswer.answer === "accepted";
    const isAsked = itemAnswer.answer !== "required" && itemAnswer.answer !== "unanswered";
    writeRow(sheet, table, [
      { tag: "TD", text: name, face: "text", size: 9.5, ...columns[0] },
      {
        tag: "TD",
        text: answer,
        face: isAsked ? "bold" : "text",
        size: 9.5,
        color: isAccepted ? ink.accent : isAsked ? ink.text : ink.quiet,
        ...columns[1],
      },
      { tag: "TD", text: until, face: "text", size: 9, color: ink.quiet, ...columns[2] },
    ]);
    addSpace(sheet, 3);
    drawRule(sheet);
  }
  table.end();
  const omitted = itemAnswers.length - ANSWERS_MAX;
  if (omitted > 0) writeMore(sheet, answers.more(omitted));
  if (itemAnswers.some(({ answer }) => answer === "withdrawn")) {
    addSpace(sheet, 4);
    writeText(sheet, "P", answers.withdrawnNote, { face: "text", size: 8, color: ink.quiet });
  }
}

/**
 * Omits the banner as a whole if vendors were answered: its answer only states whether any vendor is accepted, which
 * would read as an acceptance next to a withdrawal.
 */
function listShown(itemAnswers: readonly ItemAnswer[]): readonly ItemAnswer[] {
  return itemAnswers.some(isAnswered) ? itemAnswers.filter(({ item }) => item !== "") : itemAnswers;
}

function isAnswered({ item, answer }: ItemAnswer): boolean {
  return item !== "" && answer !== "required" && answer !== "unanswered";
}

/** Writes the head of the table, which is repeated on each page. */
function writeHead(sheet: Sheet, table: Table, { answers }: Words): void {
  const head = [answers.item, answers.answer, answers.until];
  const look = { tag: "TH", face: "text", size: 8, color: ink.quiet } as const;
  writeRow(
    sheet,
    table,
    head.map((text, at) => ({ ...look, text, ...columns[at] })),
  );
  drawRule(sheet);
}

function toCells(
  { item, name, answer, days, vendor }: ItemAnswer,
  { record, name: whole }: Statement,
  { answers }: Words,
): [string, string, string] {
  const domain = readText(vendor?.domain);
  const described = domain === undefined || domain === name ? name : `${name} — ${domain}`;
  const label = item === "" ? `${name === "" ? whole : name} (${answers.whole})` : described;
  return [label, answers.words[answer], toUntil(record.createdAt, days, answers.noExpiry)];
}

function toUntil(createdAt: string, days: number | null | undefined, noExpiry: string): string {
  if (days === undefined) return "—";
  if (days === null) return noExpiry;
  const until = new Date(Date.parse(createdAt) + days * DAY_MS);
  return Number.isNaN(until.getTime()) ? "—" : until.toISOString().slice(0, 10);
}

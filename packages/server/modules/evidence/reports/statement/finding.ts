import { consentToolNames } from "@avow/contract/consent-tools";
import type { ItemAnswer } from "./answers.ts";
import { type Statement, isFromFile } from "./statement.ts";

/** The parts of the sentence that summarizes a proof. */
export interface Finding {
  token: string;
  name: string;
  /** Formatted for people. */
  date: string;
  url: string | undefined;
  version: number | undefined;
  project: string | undefined;
  /** Whether the date is that of an imported file. */
  isFromFile: boolean;
  /** The name of the other consent tool that was answered. */
  tool: string | undefined;
  /** Number of items that were asked; the next ones are the numbers of items by answer. */
  asked: number;
  accepted: number;
  refused: number;
  withdrawn: number;
  /** The name of the only answered item out of several; undefined otherwise. */
  one: string | undefined;
}

export function toFinding(statement: Statement, date: string): Finding {
  const { record, published, projectName, name } = statement;
  const asked = listAsked(statement.itemAnswers);
  const answered = asked.filter(({ answer }) => answer !== "unanswered");
  const count = (answer: string): number =>
    answered.filter((itemAnswer) => itemAnswer.answer === answer).length;
  return {
    token: isolate(record.token),
    name: isolate(name),
    date,
    url: record.url === undefined ? undefined : isolate(record.url),
    version: published?.version,
    project: projectName === undefined ? undefined : isolate(projectName),
    isFromFile: isFromFile(record),
    tool: record.imported && consentToolNames[record.imported.from],
    asked: asked.length,
    accepted: count("accepted"),
    refused: count("refused"),
    withdrawn: count("withdrawn"),
    one: asked.length > 1 && answered.length === 1 ? toName(answered) : undefined,
  };
}

function toName([itemAnswer]: readonly ItemAnswer[]): string | undefined {
  return itemAnswer && isolate(itemAnswer.name);
}

/** The items that were asked: the vendors of a cookie banner, or else the configuration. */
function listAsked(itemAnswers: readonly ItemAnswer[]): ItemAnswer[] {
  const vendors = itemAnswers.filter(({ item, answer }) => item !== "" && answer !== "required");
  const answersVendors = vendors.some(({ answer }) => answer !== "unanswered");
  return answersVendors ? vendors : itemAnswers.filter(({ item }) => item === "");
}

/** Isolates the direction of a user's text from the text around it (UAX #9, FSI and PDI). */
function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}

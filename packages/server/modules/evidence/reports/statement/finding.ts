import type { Choice } from "./choices.ts";
import { type Statement, isImported } from "./statement.ts";

/** What a proof says, in the parts of one sentence. */
export interface Finding {
  token: string;
  name: string;
  /** As people write it. */
  date: string;
  url: string | undefined;
  version: number | undefined;
  project: string | undefined;
  isImported: boolean;
  /** Of what was asked of them, how many items there are, and how many were answered how. */
  asked: number;
  accepted: number;
  refused: number;
  withdrawn: number;
  /** What alone was answered of several; undefined where more was, or where there is one. */
  one: string | undefined;
}

/** The parts of the sentence that a proof begins with. */
export function toFinding(statement: Statement, date: string): Finding {
  const { record, published, projectName, name } = statement;
  const asked = toAsked(statement.choices);
  const answered = asked.filter(({ answer }) => answer !== "unanswered");
  const count = (answer: string): number =>
    answered.filter((choice) => choice.answer === answer).length;
  return {
    token: isolate(record.token),
    name: isolate(name),
    date,
    url: record.url === undefined ? undefined : isolate(record.url),
    version: published?.version,
    project: projectName === undefined ? undefined : isolate(projectName),
    isImported: isImported(record),
    asked: asked.length,
    accepted: count("accepted"),
    refused: count("refused"),
    withdrawn: count("withdrawn"),
    one: asked.length > 1 && answered.length === 1 ? toName(answered) : undefined,
  };
}

function toName([choice]: readonly Choice[]): string | undefined {
  return choice && isolate(choice.name);
}

/** What a person was asked: the vendors of a cookie banner, or the configuration that has none. */
function toAsked(choices: readonly Choice[]): Choice[] {
  const vendors = choices.filter(({ item, answer }) => item !== "" && answer !== "required");
  const answersVendors = vendors.some(({ answer }) => answer !== "unanswered");
  return answersVendors ? vendors : choices.filter(({ item }) => item === "");
}

/** Keeps the direction of what others wrote from reaching the words around it (UAX #9, FSI and PDI). */
function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}

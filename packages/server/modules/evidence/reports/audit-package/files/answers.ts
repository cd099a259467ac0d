import type { Committed } from "../../../log/tree/entry.ts";
import { type ItemStates, isWithdrawn } from "../../statement/choices.ts";
import { toFields } from "../../statement/fields.ts";
import type { Words } from "../words/words.ts";

/** An answer to one thing that was asked. */
export interface Answer {
  /** What was asked, as it was called then; empty for a configuration as a whole. */
  name: string;
  answer: string;
  isAccepted: boolean;
}

/** What a record says, in words: of each thing that was asked its answer; of none the record's own. */
export function toAnswers(
  { record, states }: { record: Committed; states: ItemStates },
  words: Words,
): Answer[] {
  const answers = Object.entries(toFields(record["answers"]));
  const accept = record["accept"] === true;
  if (answers.length === 0)
    return [{ name: "", answer: pick(words.accept, String(accept)), isAccepted: accept }];
  return answers.map(([item, given]) => {
    const { answer, name } = toFields(given);
    const said = answer === "refused" && isWithdrawn(states, item) ? "withdrawn" : toText(answer);
    const called = toText(name) || item;
    return { name: called, answer: pick(words.answers, said), isAccepted: said === "accepted" };
  });
}

/** The meaning of a word of ours; a word that is not known as it is. */
export function pick(meanings: Readonly<Record<string, string>>, word: string): string {
  return Object.hasOwn(meanings, word) ? (meanings[word] ?? word) : word;
}

/** A text of a record; nothing for anything else. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

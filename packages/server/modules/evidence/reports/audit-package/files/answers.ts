import type { RecordedConsent } from "@avow/contract/record";
import { type ItemStates, isWithdrawn } from "../../statement/choices.ts";
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
  { record, states }: { record: RecordedConsent; states: ItemStates },
  words: Words,
): Answer[] {
  const { accept } = record;
  const answers = Object.entries(record.answers);
  if (answers.length === 0)
    return [{ name: "", answer: pick(words.accept, String(accept)), isAccepted: accept }];
  return answers.map(([item, { answer, name }]) => {
    const said = answer === "refused" && isWithdrawn(states, item) ? "withdrawn" : answer;
    const called = name || item;
    return { name: called, answer: pick(words.answers, said), isAccepted: said === "accepted" };
  });
}

/** The meaning of a word of ours; a word that is not known as it is. */
export function pick(meanings: Readonly<Record<string, string>>, word: string): string {
  return Object.hasOwn(meanings, word) ? (meanings[word] ?? word) : word;
}

import type { RecordedConsent } from "@avow/contract/record";
import { type ItemStates, isWithdrawn } from "../../statement/answers.ts";
import type { Words } from "../words/words.ts";

/** The answer to one item. */
export interface Answer {
  /** The name of the item at the time; empty for a configuration as a whole. */
  name: string;
  answer: string;
  isAccepted: boolean;
}

/** The answers of a record, in words: one per item, or that of the record if it has no items. */
export function toAnswers(
  { record, states }: { record: RecordedConsent; states: ItemStates },
  words: Words,
): Answer[] {
  const { accept } = record;
  const answers = Object.entries(record.answers);
  if (answers.length === 0)
    return [{ name: "", answer: pick(words.accept, String(accept)), isAccepted: accept }];
  return answers.map(([item, { answer, name }]) => {
    const state = answer === "refused" && isWithdrawn(states, item) ? "withdrawn" : answer;
    return {
      name: name || item,
      answer: pick(words.answers, state),
      isAccepted: state === "accepted",
    };
  });
}

/** The text for a value of the record, or the value itself if it is unknown. */
export function pick(meanings: Readonly<Record<string, string>>, word: string): string {
  return Object.hasOwn(meanings, word) ? (meanings[word] ?? word) : word;
}

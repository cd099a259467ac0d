import type { AnsweredItem } from "../answers/record-answers.ts";
import type { PersonWords } from "../words/en.ts";

/** Maximum names of a list; more are counted. */
const NAMES_MAX = 3;

/**
 * Summarizes the answers of a record: `Accepted: all 4`, `Accepted: 3 of 4 · Withdrawn: Hotjar`. Refusals are omitted
 * next to a count of acceptances, which implies them.
 */
export function summarizeAnswers(answers: readonly AnsweredItem[], words: PersonWords): string {
  const counted = Map.groupBy(answers, ({ answer }) => answer);
  const { accepted = [], withdrawn = [], refused = [] } = Object.fromEntries(counted);
  const summarize = (answer: AnsweredItem["answer"], some: readonly AnsweredItem[]): string => {
    const names = some.map(({ name }) => name);
    if (names.length === 1 && names[0] === "") return words.statuses[answer];
    const isAll = some.length === answers.length && some.length > 1;
    const what = isAll ? words.all(some.length) : toNames(names, words);
    return words.of(words.statuses[answer], what);
  };
  const some = words.of(words.statuses.accepted, words.part(accepted.length, answers.length));
  const isPart = accepted.length > 0 && accepted.length < answers.length;
  return [
    ...(accepted.length === 0 ? [] : [isPart ? some : summarize("accepted", accepted)]),
    ...(withdrawn.length === 0 ? [] : [summarize("withdrawn", withdrawn)]),
    ...(refused.length === 0 || isPart ? [] : [summarize("refused", refused)]),
  ].join(" · ");
}

/** Up to `NAMES_MAX` names as a list, more as their number. */
export function toNames(names: readonly string[], words: PersonWords): string {
  if (names.length > NAMES_MAX) return words.count(names.length);
  return new Intl.ListFormat(words.locale).format(names);
}

import type { SaidItem } from "../answers/record-answers.ts";
import type { PersonWords } from "../words/en.ts";

/** More are counted. */
const NAMES_MAX = 3;

/**
 * What a record said, for people: `Accepted: all 4`, `Accepted: 3 of 4 · Withdrawn: Hotjar`. What was refused stands
 * where nothing was accepted: beside an acceptance the count tells it.
 */
export function toAnswer(said: readonly SaidItem[], say: PersonWords): string {
  const counted = Map.groupBy(said, ({ answer }) => answer);
  const { accepted = [], withdrawn = [], refused = [] } = Object.fromEntries(counted);
  const tell = (answer: SaidItem["answer"], some: readonly SaidItem[]): string => {
    const names = some.map(({ name }) => name);
    if (names.length === 1 && names[0] === "") return say.statuses[answer];
    const isAll = some.length === said.length && some.length > 1;
    const what = isAll ? say.all(some.length) : toNames(names, say);
    return say.of(say.statuses[answer], what);
  };
  const some = say.of(say.statuses.accepted, say.part(accepted.length, said.length));
  const isPart = accepted.length > 0 && accepted.length < said.length;
  return [
    ...(accepted.length === 0 ? [] : [isPart ? some : tell("accepted", accepted)]),
    ...(withdrawn.length === 0 ? [] : [tell("withdrawn", withdrawn)]),
    ...(refused.length === 0 || isPart ? [] : [tell("refused", refused)]),
  ].join(" · ");
}

/** A few names as a list, more as their number. */
export function toNames(names: readonly string[], say: PersonWords): string {
  if (names.length > NAMES_MAX) return say.count(names.length);
  return new Intl.ListFormat(say.locale).format(names);
}

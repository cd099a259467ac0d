import type { Answers, ItemAnswer, ItemState, AnswerRun, State } from "./states.ts";

/** Answers as stored: an object by item. */
export type AnswersJson = Record<string, ItemAnswer>;
/** Answers with their runs. */
export type ItemsJson = Record<string, Omit<ItemState, "since"> & { since: string }>;

/** Answers as JSON. Items with names such as `__proto__` become own properties. */
export function toAnswersJson(answers: Answers): AnswersJson {
  return Object.fromEntries(answers);
}

export function fromAnswersJson(json: AnswersJson): Answers {
  return new Map(Object.entries(json));
}

/** A state's items, each with its own run; null if all share the state's run. */
export function toItemsJson(state: Pick<State, "answers" | "runs">): ItemsJson | null {
  const { runs } = state;
  if (!runs) return null;
  return Object.fromEntries(
    [...state.answers].flatMap(([item, answer]) => {
      const run = runs.get(item);
      return run ? [[item, { ...answer, ...run, since: run.since.toISOString() }]] : [];
    }),
  );
}

/** The inverse of `toItemsJson`. */
export function fromItemsJson(json: ItemsJson): { answers: Answers; runs: Map<string, AnswerRun> } {
  const answers = new Map<string, ItemAnswer>();
  const runs = new Map<string, AnswerRun>();
  for (const [item, entry] of Object.entries(json)) {
    const { answer, substance, days, name, since, consentId, version } = entry;
    answers.set(item, { answer, substance, days, name });
    runs.set(item, { since: new Date(since), consentId, version });
  }
  return { answers, runs };
}

import type { Answers, ItemAnswer, ItemState, AnswerRun, State } from "./states.ts";

/** Answers as the database keeps them: an object by item. */
export type AnswersJson = Record<string, ItemAnswer>;
/** Answers with the run of each. */
export type ItemsJson = Record<string, Omit<ItemState, "since"> & { since: string }>;

/** Answers as JSON; items that are named like parts of objects become own fields. */
export function toAnswersJson(answers: Answers): AnswersJson {
  return Object.fromEntries(answers);
}

export function fromAnswersJson(json: AnswersJson): Answers {
  return new Map(Object.entries(json));
}

/** A state's items, each with its own run; null where the state's run is that of all. */
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

/** The answers and the runs that `toItemsJson` wrote. */
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

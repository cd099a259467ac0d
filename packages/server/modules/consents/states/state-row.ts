import type { State } from "./states.ts";
import { toItemsJson } from "./states-json.ts";

/**
 * The row of a state whose combination is numbered, for `json_to_recordset`; `before` is the state that it
 * replaces.
 */
export function toStateRow(state: State, before?: State): object {
  const { projectId, token, identifier, collection, since, consentId, version } = state;
  const { choice = null } = state;
  const whole = choice === null && !state.runs ? withRuns(state) : state;
  return {
    projectId,
    token,
    identifier,
    collection,
    choice,
    since,
    consentId,
    version,
    before: before?.consentId,
    consentsBefore: before?.consents,
    items: toItemsJson(whole),
    firstSeenAt: state.firstSeenAt,
    consents: state.consents,
  };
}

/** The row of a past state, with the id of the record that ended it. */
export function toPastRow({ state, untilId }: { state: State; untilId: string }): object {
  return { ...toStateRow(state), untilId };
}

/** A state with a separate run for each item, for a row without an answer combination. */
function withRuns(state: State): State {
  const { since, consentId, version } = state;
  const runs = new Map(
    [...state.answers.keys()].map((item) => [item, { since, consentId, version }]),
  );
  return { ...state, runs };
}

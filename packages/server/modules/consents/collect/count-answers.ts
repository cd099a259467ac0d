import { toAnswered } from "../states/answered.ts";
import type { Collector } from "./collector.ts";
import type { Collected, Pending } from "./pending.ts";
import type { Displays } from "../displays/displays.ts";
import { toKind } from "../displays/answer-kinds.ts";

/** The same collector, which also counts each answer to a display that was counted. */
export function countAnswered(
  collector: Collector,
  displays: Pick<Displays, "noteAnswer">,
): Pick<Collector, "collect"> {
  return {
    collect(pending) {
      const collecting = collector.collect(pending);
      if (!pending.ticket?.shown) return collecting;
      return collecting.then((collected) => {
        note(displays, pending, collected);
        return collected;
      });
    },
  };
}

/** A ticket that was used before counts for nothing: its record does not say when it was displayed. */
function note(
  displays: Pick<Displays, "noteAnswer">,
  { ticket, answer }: Pending,
  { record, isReplay }: Collected,
): void {
  const shown = ticket?.shown;
  const { displayedAt, identifier, projectId, accept } = record;
  if (isReplay || !displayedAt || !ticket || shown?.identifier !== identifier) return;
  const { answers } = toAnswered(ticket.displayed, answer);
  displays.noteAnswer(projectId, shown, { displayedAt, kind: toKind(answers, accept) });
}

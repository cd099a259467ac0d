import { toKind } from "../displays/answer-kinds.ts";
import type { Displays } from "../displays/displays.ts";
import type { CollectedConsent, Pending } from "./pending.ts";

/**
 * Counts the answer to a display that was counted. A ticket that was used before does not count: its record has no
 * time of display.
 */
export function countAnswer(
  displays: Pick<Displays, "noteAnswer">,
  { ticket }: Pick<Pending, "ticket">,
  { record, answers }: CollectedConsent,
): void {
  const shown = ticket?.shown;
  const { displayedAt, identifier, projectId, accept } = record;
  if (!answers || !displayedAt || shown?.identifier !== identifier) return;
  displays.noteAnswer(projectId, shown, { displayedAt, kind: toKind(answers, accept) });
}

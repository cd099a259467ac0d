import { toKind } from "../displays/answer-kinds.ts";
import type { Displays } from "../displays/displays.ts";
import type { CollectedConsent, Pending } from "./pending.ts";

/**
 * Counts an answer whose display was counted. Answers with an already used ticket are left out: their records have
 * no display time.
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

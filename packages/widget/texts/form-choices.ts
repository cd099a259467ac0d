import type { Box } from "../core/site.ts";
import type { Say } from "../core/words.ts";

/** An answer; `value` is the published value of the button, if any. */
export interface BoxAnswer {
  accept: boolean;
  value?: unknown;
}

/** An answer button. */
interface Choice extends BoxAnswer {
  text: string;
}

/**
 * The answer buttons of a box, in order. The values true, "true", "accept" and "yes" grant; any other value refuses. A
 * button to refuse is added if there is none. If no button grants, the widget's own two buttons are shown instead. Buttons
 * that accept and refuse look alike whatever their `color`, as the law requires (CNIL 2020-092 §34).
 */
export function toChoices(box: Box, say: Say): Choice[] {
  const own = (box.buttons ?? []).flatMap(({ text, value }) =>
    text ? [{ text, accept: isGrant(value), value }] : [],
  );
  const refuse = { text: say("refuse"), accept: false };
  if (!own.some(({ accept }) => accept))
    return [refuse, { text: box.accept || say("accept"), accept: true }];
  return own.every(({ accept }) => accept) ? [refuse, ...own] : own;
}

const grants = new Set<unknown>([true, "true", "accept", "yes"]);

function isGrant(value: unknown): boolean {
  return grants.has(value);
}

import type { Box } from "../core/site.ts";
import type { Say } from "../core/words.ts";

/** An answer; `value` is that of the button as it was published, where it has one. */
export interface Given {
  accept: boolean;
  value?: unknown;
}

/** A button that answers. */
export interface Choice extends Given {
  text: string;
}

/**
 * The answers that a box offers, in their order. A button whose value is true, "true", "accept" or "yes" grants;
 * any other value refuses. There is always a way to refuse, and where no button grants they would all say
 * the same: then the words of the widget offer both. Buttons that accept and buttons that refuse look
 * alike whatever their `color` says, as the law asks of them (CNIL 2020-092 §34).
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

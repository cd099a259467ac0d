import { toSwitch } from "../banner/vendors.ts";
import type { Say } from "../core/words.ts";
import type { Draft } from "./draft.ts";
import type { List } from "./list.ts";

/** What is shown and chosen in. */
export interface Shown {
  list: List;
  draft: Draft;
  say: Say;
}

/** Says a text with a number or a name in the place that is kept for it. */
export function sayWith(
  say: Say,
  name: string,
  { count, name: named = "" }: { count?: number; name?: string },
): string {
  return say(name)
    .replace("{count}", String(count ?? ""))
    .replace("{name}", () => named);
}

/** Puts an id into a set, or takes it out. */
export function toggle(ids: Set<number>, id: number, isIn: boolean): void {
  if (isIn) ids.add(id);
  else ids.delete(id);
}

/** The switch by which one objects to a legitimate interest of `name`. */
export function toObjection({ say }: Shown, name: string, ids: Set<number>, id: number): Node {
  const { label, input } = toSwitch(say("tcfObject"), ids.has(id), (isOn) => toggle(ids, id, isOn));
  input.setAttribute("aria-label", sayWith(say, "tcfObjectTo", { name }));
  label.classList.add("objection");
  return label;
}

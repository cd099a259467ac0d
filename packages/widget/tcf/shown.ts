import { toSwitch } from "../center/switch.ts";
import type { Say } from "../core/words.ts";
import type { Draft } from "./draft.ts";
import type { List } from "./list.ts";

export interface TcfView {
  list: List;
  draft: Draft;
  say: Say;
  /** The language of `say`. */
  language: string;
}

/** Returns a text with `{count}` and `{name}` replaced. */
export function sayWith(
  say: Say,
  name: string,
  { count, name: named = "" }: { count?: number; name?: string },
): string {
  return say(name)
    .replace("{count}", String(count ?? ""))
    .replace("{name}", () => named);
}

/** Adds an id to a set, or removes it. */
export function toggle(ids: Set<number>, id: number, isIn: boolean): void {
  if (isIn) ids.add(id);
  else ids.delete(id);
}

/** The switch for an objection to a legitimate interest of `name`. */
export function toObjection({ say }: TcfView, name: string, ids: Set<number>, id: number): Node {
  const { label, input } = toSwitch(say("tcfObject"), ids.has(id), (isOn) => toggle(ids, id, isOn));
  input.setAttribute("aria-label", sayWith(say, "tcfObjectTo", { name }));
  label.classList.add("objection");
  return label;
}

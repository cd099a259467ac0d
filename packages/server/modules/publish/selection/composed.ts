import {
  type Configuration,
  type Content,
  type PublishedLists,
  listNames,
} from "@avow/contract/published";
import type { Selection } from "./selection.ts";
import { isSelected } from "./selection.ts";

/**
 * The content of a selection: what it names as in `next`, everything else as in `live`. A first publication takes the
 * project's own part from `next`, since a file needs one.
 */
export function composeContent(
  next: Content,
  live: Content | undefined,
  selection: Selection,
): Content {
  const includes = (service: Selection["services"][number]): boolean =>
    selection.services.includes(service);
  const { projectName, client, privacypolicy } = includes("project") || !live ? next : live;
  const tcf = live?.widget?.tcf;
  return {
    ...next,
    projectName,
    client,
    privacypolicy,
    dpo: includes("dpo") ? next.dpo : (live?.dpo ?? {}),
    ...toLists((list) => {
      if (!includes(list) || selection[list])
        return mergeLists(next[list], live?.[list] ?? [], (identifier) =>
          isSelected(selection, list, identifier),
        );
      return next[list];
    }),
    // The vendor list of the live version stays with it.
    ...(live?.widget && tcf && !includes("tcf") ? { widget: live.widget } : {}),
  };
}

/** The content with the configurations in `held` at their live version, or left out if they have none. */
export function withHeldBack(
  content: Content,
  live: Content | undefined,
  held: ReadonlySet<string>,
): Content {
  return {
    ...content,
    ...toLists((list) => {
      const before = toMap(live?.[list] ?? []);
      return content[list].flatMap((one) => {
        if (!held.has(one.identifier)) return [one];
        return before.get(one.identifier) ?? [];
      });
    }),
  };
}

/** Live configurations in their order, those that `isTaken` accepts replaced by the next ones; then the new ones. */
function mergeLists(
  next: readonly Configuration[],
  live: readonly Configuration[],
  isTaken: (identifier: string) => boolean,
): Configuration[] {
  const taken = toMap(next.filter(({ identifier }) => isTaken(identifier)));
  const isLive = new Set(live.map(({ identifier }) => identifier));
  return [
    ...live.map((one) => taken.get(one.identifier) ?? one),
    ...[...taken.values()].filter(({ identifier }) => !isLive.has(identifier)),
  ];
}

function toMap<C extends Configuration>(configurations: readonly C[]): Map<string, C> {
  return new Map(configurations.map((one) => [one.identifier, one]));
}

/** The lists of a content, each made by `toList` of the list's own kind. */
function toLists(toList: (list: keyof PublishedLists) => readonly Configuration[]): PublishedLists {
  return Object.fromEntries(
    listNames.map((list) => [list, toList(list)]),
  ) as unknown as PublishedLists;
}

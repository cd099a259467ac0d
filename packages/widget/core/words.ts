import type { JsonObject } from "@avow/contract/json";
import type { Site } from "./site.ts";

/** Says a text of the widget by its name. */
export type Say = (name: string) => string;

/**
 * The widget's texts for a language: the first of `own` that has one, then what was published for the
 * language, so that a proof holds the very words; in a file from before that, the names themselves.
 */
export function sayIn(
  { widget }: Site,
  language: string | undefined,
  ...own: (JsonObject | undefined)[]
): Say {
  const spoken = widget?.words?.[language ?? "en"];
  return (name) =>
    ([...own, spoken].find((texts) => texts?.[name])?.[name] as string | undefined) ?? name;
}

import type { JsonObject } from "@avow/contract/json";
import type { Site } from "./site.ts";

/** Returns a text of the widget by its name. */
export type Say = (name: string) => string;

/**
 * The widget's texts for a language: from the first of `own` that has it, then from the published file, so that a proof
 * contains the texts. In older files the name itself is shown.
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

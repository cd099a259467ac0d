import { tellError } from "../core/events.ts";
import type { Context, Features } from "./features.ts";

/**
 * Goes to the visitor's own page where its button was pressed; otherwise remembers what the service has that is newer than what is here. The
 * file that does so is seldom wanted; what goes wrong there is told, and nothing else waits for it.
 */
export function usePerson(
  parts: Context & { features: Features },
  pressed?: EventTarget | null,
): Promise<unknown> {
  return parts.features
    .boxes()
    .then(({ withPerson }) => withPerson(parts, pressed))
    .catch(tellError);
}

import { emitError } from "../core/events.ts";
import type { Context, Features } from "./features.ts";

/**
 * Opens the visitor's own page if its button was pressed; otherwise stores newer answers of the service. Its file is loaded
 * on demand. Errors are emitted and do not stop anything else.
 */
export function usePerson(
  parts: Context & { features: Features },
  pressed?: EventTarget | null,
): Promise<unknown> {
  return parts.features
    .boxes()
    .then(({ withPerson }) => withPerson(parts, pressed))
    .catch(emitError);
}

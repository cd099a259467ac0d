import { emitError } from "../page/events.ts";
import type { Context, LoadFeature } from "./features.ts";

/**
 * Opens the visitor's own page if its button was pressed; otherwise stores newer answers of the service. Its file is loaded
 * on demand. Errors are emitted and do not stop anything else.
 */
export function usePerson(
  parts: Context & { load: LoadFeature },
  pressed?: EventTarget | null,
): Promise<unknown> {
  return parts
    .load("boxes")
    .then(({ withPerson }) => withPerson(parts, pressed))
    .catch(emitError);
}

import { instantMessage, parseInstants } from "@avow/contract/instants";
import { Fault } from "../../../platform/errors.ts";

/**
 * Parses an as-of time, of a date its first instant; undefined without one.
 * @throws Fault invalid for an invalid instant, or one in the future
 */
export function parsePast(
  text: string | undefined,
  { path, now }: { path: string; now: Date },
): Date | undefined {
  if (text === undefined) return undefined;
  const instant = parseInstants(text)?.first;
  if (instant && instant <= now) return instant;
  const message = instant ? "must not be in the future" : instantMessage;
  throw new Fault("invalid", `${path}: ${message}`, { faults: [{ path, message }] });
}

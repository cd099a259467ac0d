import { Fault } from "../../platform/errors.ts";

/** Control characters that no text needs; line breaks and tabs stay. */
const controls = /[^\P{Cc}\n\t]/gu;

/**
 * A text that a person wrote, as it is stored: without control characters, and with plain line breaks.
 * @throws Fault invalid if nothing is left
 */
export function toWrittenText(text: string, path = "/text"): string {
  const written = text.replaceAll("\r\n", "\n").replaceAll(controls, "").trim();
  if (written !== "") return written;
  const message = "must not be empty";
  throw new Fault("invalid", `${path}: ${message}`, { faults: [{ path, message }] });
}

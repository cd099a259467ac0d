/**
 * The time zone of a name of IANA, in its usual case; undefined for any other text. Offsets are refused, since they ignore
 * daylight saving time. `Intl` also accepts abbreviations such as PST, with which Temporal throws.
 */
export function findTimeZone(text: string): string | undefined {
  if (!/^[A-Za-z]/.test(text)) return undefined;
  try {
    const { timeZoneId } = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text);
    // Temporal also reads the time zone of a time, such as T12:00Z.
    return timeZoneId.toLowerCase() === text.toLowerCase() ? timeZoneId : undefined;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

/** The message of the fault of a text that is no time zone. */
export const timeZoneMessage = "is not a time zone such as Europe/Paris";

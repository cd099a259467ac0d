/** The browser's time zone (IANA). */
export function getOwnZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** All time zones for a `Choice`, with their texts: that of the browser, UTC and the chosen one first. */
export function listZones(chosen: string): [zone: string, text: string][] {
  const first = [getOwnZone(), "UTC", chosen];
  const zones = new Set([...first, ...Intl.supportedValuesOf("timeZone")]);
  return [...zones].map((zone) => [zone, zone.replaceAll("_", " ")]);
}

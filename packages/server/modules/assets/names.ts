const LENGTH_MAX = 255;
const UNNAMED = "unnamed";
/**
 * Invisible and bidirectional control characters, which could make a name look like another. Joiners and non-joiners are
 * kept, because some languages need them.
 */
const hidden = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The client's file name, without folders, control characters and directional marks. */
export function toFileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? "";
  const seen = last.toWellFormed().normalize("NFC").replaceAll(hidden, "").trim();
  const name = cut(seen);
  return /^\.*$/.test(name) ? UNNAMED : name;
}

/** Truncates a long name before its extension. */
function cut(name: string): string {
  const letters = Array.from(name);
  if (letters.length <= LENGTH_MAX) return name;
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? "";
  return letters.slice(0, LENGTH_MAX - ending.length).join("") + ending;
}

const REPORTED_LENGTH_MAX = 127;

/** The client's content type, if it is valid (RFC 6838, 4.2). */
export function toReportedType(given: string): string {
  const type = given.trim().toLowerCase();
  const isType = /^[a-z0-9][\w!#$&^.+-]*\/[a-z0-9][\w!#$&^.+-]*$/.test(type);
  return isType && type.length <= REPORTED_LENGTH_MAX ? type : "application/octet-stream";
}

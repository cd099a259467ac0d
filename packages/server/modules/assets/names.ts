const LENGTH_MAX = 255;
const UNNAMED = "unnamed";
/**
 * Characters that are not seen, or that turn the ones around them about: a name could look like another.
 * Those that join letters, or keep them apart, belong to the writing of some languages.
 */
const hidden = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The name of a file as its sender calls it: without folders, control characters and marks of direction. */
export function toFileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? "";
  const seen = last.toWellFormed().normalize("NFC").replaceAll(hidden, "").trim();
  const name = cut(seen);
  return /^\.*$/.test(name) ? UNNAMED : name;
}

/** A long name keeps its end, by which people know what it is. */
function cut(name: string): string {
  const letters = Array.from(name);
  if (letters.length <= LENGTH_MAX) return name;
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? "";
  return letters.slice(0, LENGTH_MAX - ending.length).join("") + ending;
}

const REPORTED_LENGTH_MAX = 127;

/** The content type that a sender tells, where it is one (RFC 6838, 4.2). */
export function toReportedType(given: string): string {
  const type = given.trim().toLowerCase();
  const isType = /^[a-z0-9][\w!#$&^.+-]*\/[a-z0-9][\w!#$&^.+-]*$/.test(type);
  return isType && type.length <= REPORTED_LENGTH_MAX ? type : "application/octet-stream";
}

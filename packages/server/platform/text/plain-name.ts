const NAME_LENGTH_MAX = 80;

/**
 * A name that another user chose, for a mail in the name of the service: short, on one line, and without anything that
 * mail programs turn into a link.
 */
export function toPlainName(name: string): string {
  const plain = name
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, " ")
    .replaceAll(/[/\\<>]+/g, " ")
    // An invisible word joiner breaks up hosts and addresses.
    .replaceAll(/(?<=\S)([.:@])(?=\S)/g, "$1\u2060")
    .trim();
  const characters = Array.from(plain);
  return characters.length > NAME_LENGTH_MAX
    ? `${characters.slice(0, NAME_LENGTH_MAX).join("")}…`
    : plain;
}

/** Maximum bytes of the list that are read. */
const READ_BYTES_MAX = 1024 * 1024;

/** The first reasons of a list of rejected lines, each with its line number. */
export async function listReasons(answer: Response, max: number): Promise<string[]> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const block of answer.body ?? []) {
    text += decoder.decode(block, { stream: true });
    if (text.length > READ_BYTES_MAX) break;
  }
  const reasons: string[] = [];
  // A reason is one cell on one line. The cells after it may span several lines.
  const pattern = /(?:^|\r\n)(\d+);(?:"((?:[^"]|"")*)"|([^";\r\n]*));/g;
  for (const [, line, quoted, plain] of text.matchAll(pattern)) {
    if (reasons.length >= max) break;
    reasons.push(`line ${line}: ${quoted?.replaceAll('""', '"') ?? plain ?? ""}`);
  }
  return reasons;
}

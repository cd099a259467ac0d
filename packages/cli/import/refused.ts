/** So much of the list is looked at. */
const READ_BYTES_MAX = 1024 * 1024;

/** The first reasons of a list of refused lines, each with its line, in the words of the service. */
export async function listReasons(answer: Response, max: number): Promise<string[]> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const block of answer.body ?? []) {
    text += decoder.decode(block, { stream: true });
    if (text.length > READ_BYTES_MAX) break;
  }
  const told: string[] = [];
  // A reason is one cell of one line; what follows it may be of several.
  const pattern = /(?:^|\r\n)(\d+);(?:"((?:[^"]|"")*)"|([^";\r\n]*));/g;
  for (const [, line, quoted, plain] of text.matchAll(pattern)) {
    if (told.length >= max) break;
    told.push(`line ${line}: ${quoted?.replaceAll('""', '"') ?? plain ?? ""}`);
  }
  return told;
}

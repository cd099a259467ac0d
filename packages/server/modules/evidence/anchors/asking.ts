// What asking witnesses and asking a time-stamping authority have in common.

const PAUSE_SECONDS_MAX = 300;

/** For how long somebody is left alone who failed so many times in a row: 2, 4, 8 … 300 seconds. */
export function toBackOffSeconds(failures: number): number {
  return Math.min(PAUSE_SECONDS_MAX, 2 ** Math.min(failures, 10));
}

/**
 * The bytes of an answer.
 * @throws Error for more than `bytesMax`
 */
export async function readAnswer(answer: Response, bytesMax: number): Promise<Buffer> {
  const blocks: Uint8Array[] = [];
  let bytes = 0;
  for await (const block of answer.body ?? []) {
    bytes += block.length;
    if (bytes > bytesMax) throw new Error("its answer is too long");
    blocks.push(block);
  }
  return Buffer.concat(blocks);
}

/** Why somebody could not be asked, in a few words for the service's log. */
export function toReason(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return "it cannot be asked";
  if (error.name === "TimeoutError") return `it did not answer within ${timeoutMs / 1_000} s`;
  const { cause } = error;
  return cause instanceof Error && "code" in cause
    ? `it cannot be reached (${String(cause.code)})`
    : error.message;
}

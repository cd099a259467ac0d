import type { Posted } from "../../platform/outbound/post.ts";

/** One try of a delivery, as the log of deliveries shows it. */
export interface Attempt {
  at: string;
  durationMs: number;
  requestId: string;
  /** What was answered; null where nothing was. */
  status: number | null;
  /** Why it failed, where no status says so. */
  error: string | null;
  /** The beginning of what was answered. */
  answer: string;
  /** How much of it was read. */
  answerBytes: number;
  /** It was longer than what is read. */
  isCut: boolean;
}

/** So much of each answer is kept with its try. */
export const BEGINNING_BYTES = 4_096;

/** What a try keeps of an answer; of none, nothing. */
export function toAnswered(
  posted: Posted | undefined,
): Pick<Attempt, "answer" | "answerBytes" | "isCut"> {
  if (!posted) return { answer: "", answerBytes: 0, isCut: false };
  const { answer, isCut } = posted;
  return {
    answer: toText(answer.subarray(0, BEGINNING_BYTES)),
    answerBytes: answer.length,
    isCut,
  };
}

/** As text, whatever it is, without a character that was cut in two; PostgreSQL keeps no NUL. */
export function toText(answer: Buffer): string {
  return new TextDecoder().decode(answer, { stream: true }).replaceAll("\0", "\uFFFD");
}

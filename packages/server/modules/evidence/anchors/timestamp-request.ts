import { readAnswer, toReason } from "./asking.ts";
import { readTimestampReply, toTimestampQuery } from "./timestamp-token.ts";

const TIMEOUT_MS = 10_000;
/** A token with its certificates is 2 to 10 KiB. */
const REPLY_BYTES_MAX = 64 * 1024;
/** An authority whose time is further away from ours has another time, or we have (section 2.2). */
const APART_SECONDS_MAX = 300;

/** What became of asking an authority. */
export type Stamped =
  | { kind: "stamped"; reply: Buffer; at: Date }
  /** In a few words, which hold nothing that the authority said. */
  | { kind: "failed"; reason: string };

/** Asks an authority to time-stamp a text, over HTTP (RFC 3161, section 3.4). Never throws. */
export async function askAuthority(
  url: string,
  { text, now, signal }: { text: string; now: () => Date; signal: AbortSignal },
): Promise<Stamped> {
  try {
    const query = toTimestampQuery(text);
    const answer = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/timestamp-query",
        accept: "application/timestamp-reply",
      },
      body: Uint8Array.from(query.der),
      // Told by its status: where it leads was not set by the operator.
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const reply = await readAnswer(answer, REPLY_BYTES_MAX);
    if (answer.status !== 200) return { kind: "failed", reason: `it answers ${answer.status}` };
    const [type = ""] = (answer.headers.get("content-type") ?? "").split(";");
    if (type.trim().toLowerCase() !== "application/timestamp-reply")
      return { kind: "failed", reason: "its answer is of another type than a time-stamp" };
    const at = readTimestampReply(reply, query);
    const apart = Math.round((at.getTime() - now().getTime()) / 1_000);
    if (Math.abs(apart) > APART_SECONDS_MAX)
      return { kind: "failed", reason: `its clock and ours are ${Math.abs(apart)} s apart` };
    return { kind: "stamped", reply, at };
  } catch (error) {
    return { kind: "failed", reason: toReason(error, TIMEOUT_MS) };
  }
}

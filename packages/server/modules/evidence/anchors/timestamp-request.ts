import { readBody } from "../../../platform/outbound/read-body.ts";
import { toReason } from "./requests.ts";
import { parseTimestampReply, toTimestampQuery } from "./timestamp-token.ts";

const TIMEOUT_MS = 10_000;
/** A token with its certificates is 2 to 10 KiB. */
const REPLY_BYTES_MAX = 64 * 1024;
/** Maximum difference between the authority's clock and this one (section 2.2). */
const CLOCK_SKEW_SECONDS_MAX = 300;

export type TimestampResult =
  | { kind: "stamped"; reply: Buffer; at: Date }
  /** `reason` contains no text of the authority. */
  | { kind: "failed"; reason: string };

/** Requests a time-stamp of a text over HTTP (RFC 3161, section 3.4). Never throws. */
export async function requestTimestamp(
  url: string,
  { text, now, signal }: { text: string; now: () => Date; signal: AbortSignal },
): Promise<TimestampResult> {
  try {
    const query = toTimestampQuery(text);
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/timestamp-query",
        accept: "application/timestamp-reply",
      },
      body: Uint8Array.from(query.der),
      // A redirect fails by its status: the operator did not configure its target.
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const reply = await readBody(response, REPLY_BYTES_MAX);
    if (response.status !== 200)
      return { kind: "failed", reason: `responded with status ${response.status}` };
    const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
    if (type.trim().toLowerCase() !== "application/timestamp-reply")
      return { kind: "failed", reason: "response is not an application/timestamp-reply" };
    const at = parseTimestampReply(reply, query);
    const skew = Math.round((at.getTime() - now().getTime()) / 1_000);
    if (Math.abs(skew) > CLOCK_SKEW_SECONDS_MAX)
      return { kind: "failed", reason: `clocks are ${Math.abs(skew)} s apart` };
    return { kind: "stamped", reply, at };
  } catch (error) {
    return { kind: "failed", reason: toReason(error, TIMEOUT_MS) };
  }
}

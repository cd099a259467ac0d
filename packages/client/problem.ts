const TEXT_LENGTH_MAX = 64 * 1024;
const DETAIL_LENGTH_MAX = 200;

interface ProblemParts {
  status?: number;
  /** Description of the problem, in English. */
  detail?: string;
  errors?: readonly { path: string; message: string }[] | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/** Why a call has no result: a problem of the service (RFC 9457) by its kind, or `offline`. */
export class Problem extends Error {
  override name = "Problem";
  /**
   * The end of the problem's `type`, such as `not-found`; `pending` for a 202, when what was requested is still being
   * made; `internal` for an error that is no problem document.
   */
  readonly kind: string;
  /** 0 for `offline`. */
  readonly status: number;
  readonly detail: string;
  readonly errors: readonly { path: string; message: string }[];
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: string, parts: ProblemParts = {}) {
    super(parts.detail || kind, { cause: parts.cause });
    this.kind = kind;
    this.status = parts.status ?? 0;
    this.detail = parts.detail ?? "";
    this.errors = parts.errors ?? [];
    this.requestId = parts.requestId;
    this.retryAfterSeconds = parts.retryAfterSeconds;
  }
}

/** The problem that a response states; of another response, the beginning of its text. */
export async function toProblem(response: Response): Promise<Problem> {
  const { status, headers } = response;
  const requestId = headers.get("x-request-id") ?? undefined;
  const retryAfterSeconds = toSeconds(headers.get("retry-after"));
  const text = await readStart(response);
  const { type, detail, errors } = parseDocument(text);
  if (status === 202)
    return new Problem("pending", { status, detail: detail ?? "", requestId, retryAfterSeconds });
  if (typeof type !== "string")
    return new Problem("internal", {
      status,
      detail: text.slice(0, DETAIL_LENGTH_MAX),
      requestId,
      retryAfterSeconds,
    });
  const kind = type.slice(type.lastIndexOf("/") + 1);
  return new Problem(kind, { status, detail: detail ?? "", errors, requestId, retryAfterSeconds });
}

interface ProblemDocument {
  type?: string;
  detail?: string;
  errors?: { path: string; message: string }[];
}

function parseDocument(text: string): ProblemDocument {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

/** The seconds of a `Retry-After`, which is a number of them or a date (RFC 9110, section 10.2.3). */
function toSeconds(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

/** The text of a response, cut at 64 KiB. A lost connection ends the text, since the status is known already. */
async function readStart({ body }: Response): Promise<string> {
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    while (text.length < TEXT_LENGTH_MAX) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
    await reader.cancel();
  } catch {
    // The connection was lost: the part received so far is used.
  }
  return text;
}

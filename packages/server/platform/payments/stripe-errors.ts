import { PaymentsError } from "./payments.ts";

const MESSAGE_LENGTH_MAX = 300;
const away = new Set(["StripeConnectionError", "StripeAPIError", "StripeRateLimitError"]);
/** Errors that say nothing of people, only of what we asked and with what. */
const plain = new Set([
  "StripeInvalidRequestError",
  "StripeAuthenticationError",
  "StripePermissionError",
  "StripeIdempotencyError",
]);

/**
 * An error of the SDK as the port's. The SDK's own carry whatever was answered and who is meant, which is not for a
 * log; the request's id finds it in Stripe's own.
 */
function toPaymentsError(what: string, error: unknown): PaymentsError {
  const { type, code, statusCode, requestId, message } = toFields(error);
  const reason = plain.has(type) ? `: ${message.slice(0, MESSAGE_LENGTH_MAX)}` : "";
  const where = [type, statusCode, code, requestId].filter((part) => part !== undefined).join(", ");
  return new PaymentsError(`Stripe could not ${what} (${where})${reason}`, {
    isAway: away.has(type) || statusCode === 429,
    isMissing: code === "resource_missing",
    isOtherContent: type === "StripeIdempotencyError",
  });
}

interface Fields {
  type: string;
  code: string | undefined;
  statusCode: number | undefined;
  requestId: string | undefined;
  message: string;
}

/** Read by name: the SDK is not loaded where Stripe is not used. */
function toFields(error: unknown): Fields {
  const fields: Partial<Record<keyof Fields, unknown>> =
    typeof error === "object" && error !== null ? error : {};
  return {
    type: text(fields.type) ?? (error instanceof Error ? error.name : "unknown"),
    code: text(fields.code),
    statusCode: typeof fields.statusCode === "number" ? fields.statusCode : undefined,
    requestId: text(fields.requestId),
    message: error instanceof Error ? error.message : "",
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Runs a call of the SDK. Throws `PaymentsError`. */
export async function asking<T>(what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw toPaymentsError(what, error);
  }
}

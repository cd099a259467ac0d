import { PaymentsError } from "./payments.ts";

const MESSAGE_LENGTH_MAX = 300;
const transient = new Set(["StripeConnectionError", "StripeAPIError", "StripeRateLimitError"]);
/** Errors whose message describes the request and contains no personal data. */
const loggable = new Set([
  "StripeInvalidRequestError",
  "StripeAuthenticationError",
  "StripePermissionError",
  "StripeIdempotencyError",
]);

/**
 * Converts an error of the SDK, which contains the whole response with personal data and must not be logged. The
 * request's id finds it in Stripe's log.
 */
function toPaymentsError(what: string, error: unknown): PaymentsError {
  const { type, code, statusCode, requestId, message } = toFields(error);
  const reason = loggable.has(type) ? `: ${message.slice(0, MESSAGE_LENGTH_MAX)}` : "";
  const where = [type, statusCode, code, requestId].filter((part) => part !== undefined).join(", ");
  return new PaymentsError(`Stripe could not ${what} (${where})${reason}`, {
    isUnavailable: transient.has(type) || statusCode === 429,
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

/** By field names instead of `instanceof`, so that the SDK is not loaded without Stripe. */
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
export async function callStripe<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toPaymentsError(what, error);
  }
}

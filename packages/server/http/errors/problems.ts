import { Type, type Static } from "typebox";
import type { FaultKind } from "../../platform/errors.ts";

/** A kind of problem: its status, its title, and what its page tells. */
interface ProblemKind {
  status: number;
  title: string;
  meaning: string;
}

/** Every problem this service answers with, by the last segment of its `type` (wire section 0). */
export const problems = {
  invalid: {
    status: 400,
    title: "The request is not valid",
    meaning:
      "Something in the body, the path or the query is missing, of the wrong type or out of bounds. Each fault is listed in `errors` with its place.",
  },
  "wrong-credentials": {
    status: 401,
    title: "Wrong username or password",
    meaning: "Sign-in failed. The answer is the same whether the account exists or not.",
  },
  "code-needed": {
    status: 401,
    title: "A code of your second factor is needed",
    meaning:
      "The password, the link or the provider's sign-in was right, and the account has a second factor. Send the same request again with the present code of the authenticator app, or with a recovery code.",
  },
  "wrong-code": {
    status: 401,
    title: "Wrong code",
    meaning:
      "The code of the second factor is wrong, was used already, or is of another time than now: each works once, for about a minute. A recovery code works once.",
  },
  unauthenticated: {
    status: 403,
    title: "A valid access token is needed",
    meaning:
      "Send the token of a sign-in as `Authorization: Bearer TOKEN`, or as the query parameter `access_token`. Tokens end after 15 days and at logout.",
  },
  forbidden: {
    status: 403,
    title: "Your role does not allow this",
    meaning:
      "You can see this resource, but what you asked for needs another role on it. Its owners can give you one.",
  },
  "confirmation-needed": {
    status: 403,
    title: "Confirm that it is you",
    meaning:
      "This changes how the account is signed in to, or deletes it, so it takes a session whose user showed within the last 15 minutes that it is they; with their second factor, where they have turned one on. Send your password, or a code of your second factor where you have one, to `POST /v1/auth/confirm`, or sign in again; then repeat the request.",
  },
  "factor-needed": {
    status: 403,
    title: "Add a second factor",
    meaning:
      "The operator of this service requires a second factor, and your account has none yet. Until it has, your session is of use for your account alone: begin one with `POST /v1/auth/factor`, and confirm it with `POST /v1/auth/factor/confirm`.",
  },
  "account-disabled": {
    status: 403,
    title: "This account is disabled",
    meaning:
      "Whoever runs this service has closed the account, and can open it again. Only who has just shown that it is theirs, by its password or a provider, is told.",
  },
  "not-found": {
    status: 404,
    title: "Not found",
    meaning: "Nothing is there, or nothing that you may see: the service never tells which.",
  },
  conflict: {
    status: 409,
    title: "This conflicts with what is there",
    meaning: "A duplicate, or a state that does not allow the change. The detail says which.",
  },
  stale: {
    status: 412,
    title: "It has changed meanwhile",
    meaning:
      "`If-Match` names another version than the present one. Read it again, then repeat your change.",
  },
  "too-large": {
    status: 413,
    title: "The request is too large",
    meaning: "The body exceeds the limit of this route, or the head what the service takes.",
  },
  "unsupported-type": {
    status: 415,
    title: "Unsupported content type",
    meaning:
      "Send JSON as `application/json`, without `Content-Encoding`. Sign-up and sign-in also take `application/x-www-form-urlencoded`, collection `text/plain`. The detail tells what the route takes.",
  },
  impossible: {
    status: 422,
    title: "Well formed, but impossible",
    meaning:
      "The request can be read, but it asks for what cannot be: a project that does not exist, a layout that the plan does not include, a used idempotency key.",
  },
  "too-many": {
    status: 429,
    title: "Too many attempts",
    meaning: "Wait for the seconds given in `Retry-After`.",
  },
  internal: {
    status: 500,
    title: "The service failed",
    meaning:
      "The fault is ours. It is in the service's log under the request id that the answer carries.",
  },
  busy: {
    status: 503,
    title: "Busy or shutting down",
    meaning:
      "Repeat the request after the seconds given in `Retry-After`: with its `Idempotency-Key`, if it had one, since it may have been done although its answer was lost.",
  },
} as const satisfies Record<FaultKind | "internal", ProblemKind>;

export type ProblemName = keyof typeof problems;

/** The body of every error: RFC 9457, with `message` for older clients. */
export const ProblemOut = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    message: Type.String(),
    instance: Type.String(),
    errors: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
  },
  { title: "Problem", description: "RFC 9457 problem details." },
);
export type ProblemOut = Static<typeof ProblemOut>;

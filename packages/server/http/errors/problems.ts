import { Type, type Static } from "typebox";
import type { FaultKind } from "../../platform/errors.ts";

/** A kind of problem. Its page shows the meaning. */
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
      "Something in the body, the path or the query is missing, of the wrong type or out of bounds. Each error is listed in `errors` with its path.",
  },
  "wrong-credentials": {
    status: 401,
    title: "Wrong username or password",
    meaning: "Sign-in failed. The answer is the same whether the account exists or not.",
  },
  "code-needed": {
    status: 401,
    title: "A second-factor code is required",
    meaning:
      "The password, the link or the provider's sign-in was correct, and the account has a second factor. Repeat the request with the current code of the authenticator app, or with a recovery code.",
  },
  "wrong-code": {
    status: 401,
    title: "Wrong code",
    meaning:
      "The code of the second factor is wrong, expired or already used. Each code works once, for about a minute. A recovery code works once.",
  },
  unauthenticated: {
    status: 403,
    title: "A valid access token is required",
    meaning:
      "Send the token of a sign-in as `Authorization: Bearer TOKEN`, or as the query parameter `access_token`. Tokens expire after 15 days and at sign-out.",
  },
  forbidden: {
    status: 403,
    title: "Your role does not allow this",
    meaning:
      "You can see this resource, but the request requires another role on it, or an API key with another scope. Its owners can grant you a role.",
  },
  "confirmation-needed": {
    status: 403,
    title: "Confirm your identity",
    meaning:
      "The request changes how you sign in to the account, or deletes it. It requires a sign-in or a confirmation within the last 15 minutes, with the second factor if the account has one. Send your password, or a code of your second factor, to `POST /v1/auth/confirm`, or sign in again. Then repeat the request.",
  },
  "factor-needed": {
    status: 403,
    title: "Add a second factor",
    meaning:
      "The operator of this service requires a second factor, and your account has none. Until then, your session can only manage your account. Start with `POST /v1/auth/factor`, then confirm with `POST /v1/auth/factor/confirm`.",
  },
  "account-disabled": {
    status: 403,
    title: "This account is disabled",
    meaning:
      "The operator of this service has disabled the account, and can enable it again. This problem is returned only after a correct password or a provider's sign-in.",
  },
  "not-found": {
    status: 404,
    title: "Not found",
    meaning:
      "The resource does not exist, or you have no access to it. The service never reveals which.",
  },
  conflict: {
    status: 409,
    title: "Conflict with the current state",
    meaning: "A duplicate, or a state that does not allow the change. See the detail.",
  },
  "approval-needed": {
    status: 409,
    title: "The draft needs approval",
    meaning:
      "The project requires approvals before publication, and the draft has too few of them, or was changed since. `missingApprovals` is the number that is missing. An approval by the person who publishes does not count. Ask for a review, or let an owner publish with `withoutApproval` and a reason.",
  },
  stale: {
    status: 412,
    title: "The resource has changed",
    meaning:
      "`If-Match` is not the current version. Read the resource again, then repeat your change.",
  },
  "too-large": {
    status: 413,
    title: "The request is too large",
    meaning: "The body exceeds the limit of this route, or the headers exceed that of the service.",
  },
  "unsupported-type": {
    status: 415,
    title: "Unsupported content type",
    meaning:
      "Send JSON as `application/json`, without `Content-Encoding`. Sign-up and sign-in also take `application/x-www-form-urlencoded`, collection `text/plain`. The detail lists what the route accepts.",
  },
  impossible: {
    status: 422,
    title: "The request cannot be processed",
    meaning:
      "The request is well formed but cannot be fulfilled: a project that does not exist, a layout that the plan does not include, an idempotency key used with another body.",
  },
  "too-many": {
    status: 429,
    title: "Too many attempts",
    meaning: "Repeat the request after the seconds in `Retry-After`.",
  },
  internal: {
    status: 500,
    title: "The service failed",
    meaning:
      "An unexpected error. The service's log contains it with the request id of the response.",
  },
  busy: {
    status: 503,
    title: "Busy or shutting down",
    meaning:
      "Repeat the request after the seconds in `Retry-After`. Keep its `Idempotency-Key`, if it had one, since the request may have succeeded.",
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
    losses: Type.Optional(
      Type.Array(Type.Enum(["production", "staging", "consents"]), {
        description:
          "With 409 of the deletion of a project: its published files by environment, and consents on record.",
      }),
    ),
    missingApprovals: Type.Optional(Type.Integer({ description: "With 409 `approval-needed`." })),
    projects: Type.Optional(
      Type.Array(Type.Object({ id: Type.String(), title: Type.String() }), {
        description: "With 409 of the deletion of an organization: its projects, the first 20.",
      }),
    ),
  },
  { title: "Problem", description: "RFC 9457 problem details." },
);
export type ProblemOut = Static<typeof ProblemOut>;

/** The page docs/reference/errors.md. */
export function toErrorsPage(): string {
  const rows = Object.entries(problems).map(
    ([name, { status, title, meaning }]) => `| ${status} | \`${name}\` | ${title} | ${meaning} |`,
  );
  return `<!-- Written by \`npm run settings\` from packages/server/http/errors/problems.ts; changes belong there. -->

# Errors

Every error of the HTTP interface has one of these types. \`type\` in its body is \`/problems/TYPE\`, a page of the service with the same
text. The body and the list of field errors are described in the [conventions](api-conventions.md#errors).

| Status | Type | Title | Meaning |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}

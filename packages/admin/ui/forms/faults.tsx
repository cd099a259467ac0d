import type { Problem } from "@avow/client/problem";
import { language, words } from "../../words/words.ts";

/** The text of a problem for the user. */
export function toFaultText({ kind, detail, retryAfterSeconds }: Problem): string {
  const { faults } = words.value;
  switch (kind) {
    case "offline":
      return faults.offline;
    case "busy":
      return faults.busy;
    case "pending":
      return faults.pending;
    case "internal":
      return faults.internal;
    case "forbidden":
      return faults.forbidden;
    case "account-disabled":
      return faults.disabled;
    case "not-found":
      return faults.notFound;
    case "unauthenticated":
      return faults.unauthenticated;
    case "wrong-credentials":
      return faults.credentials;
    case "wrong-code":
      return faults.wrongCode;
    case "confirmation-needed":
      return faults.unconfirmed;
    case "too-many":
      return faults.tooMany(retryAfterSeconds ?? 60);
    default:
      return language.value === "en" && detail !== "" ? detail : toOther(kind);
  }
}

function toOther(kind: string): string {
  const { faults } = words.value;
  if (kind === "conflict") return faults.conflict;
  return kind === "invalid" ? faults.invalid : faults.other;
}

/** A problem with the request id, by which operators find it. */
export function FaultNote({ problem }: { problem: Problem }) {
  const { faults } = words.value;
  const isOurs = problem.kind === "internal" && problem.requestId !== undefined;
  return (
    <div class="note bad" role="alert">
      <p>{toFaultText(problem)}</p>
      {isOurs && <p class="soft code">{faults.request(problem.requestId ?? "")}</p>}
    </div>
  );
}

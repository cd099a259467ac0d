import { Fault, type FaultKind } from "../../platform/errors.ts";

/** The kind of an error that a page explains; undefined for errors of the service. URLs with invalid parameters are not found. */
export function toFaultKind(error: unknown): FaultKind | undefined {
  if (error instanceof Fault) return error.kind;
  if (!(error instanceof Error) || !("statusCode" in error)) return undefined;
  if ("validationContext" in error && error.validationContext === "params") return "not-found";
  const status = Number(error.statusCode);
  if (status === 413) return "too-large";
  if (status === 415) return "unsupported-type";
  return status < 500 ? "invalid" : undefined;
}

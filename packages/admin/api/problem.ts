import { Problem } from "@avow/client/problem";

/**
 * Converts anything thrown to a problem. Anything else than a `Problem` is a defect of the app: it is logged and
 * becomes `internal`.
 */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  reportError(thrown);
  return new Problem("internal", { cause: thrown });
}

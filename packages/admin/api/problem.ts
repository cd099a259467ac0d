import { Problem } from "@avow/client/problem";

/** Anything thrown as a problem: what is none is a defect of the app, told as one and logged. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  reportError(thrown);
  return new Problem("internal", { cause: thrown });
}

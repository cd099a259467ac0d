/** One small fault in the service's code, and the tests that must fail with it. */
export interface Mutation {
  /** The effect of the fault, in a reviewer's words: "drops the project from the scope of a look-up". */
  name: string;
  /** Relative to the root. */
  file: string;
  /** Text that occurs exactly once in the file. */
  find: string;
  replace: string;
  /** A test file, relative to the root, that fails with the fault. */
  caughtBy: string;
}

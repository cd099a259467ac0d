/** One small fault in the service's code, and the tests that are expected to fail with it. */
export interface Mutation {
  /** What the fault breaks, as a reviewer would say it: "drops the project from the scope of a look-up". */
  name: string;
  /** Relative to the root. */
  file: string;
  /** Text that occurs exactly once in the file. */
  find: string;
  replace: string;
  /** A test file, relative to the root, that fails with the fault. */
  caughtBy: string;
}

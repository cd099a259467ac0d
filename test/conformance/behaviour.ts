import { type TestContext, suite, test } from "node:test";
import { exchanges } from "./target.ts";

const CASE_TIMEOUT_MS = 120_000;
const CONCURRENT_CASES = 4;

/** A case failed; the message has the last exchanges with the service. */
class ConformanceError extends Error {
  override name = "ConformanceError";
}

/**
 * A section of the suite. Its cases run side by side if each has documents of its own.
 */
export function section(
  name: string,
  options: { isConcurrent: boolean },
  addCases: () => void,
): void {
  suite(name, { concurrency: options.isConcurrent ? CONCURRENT_CASES : 1 }, addCases);
}

/**
 * A case of the suite.
 * @param source the section of the specification that it follows, as "wire 9" or "interface: Step"
 */
export function behaviour(
  name: string,
  source: string,
  check: (t: TestContext) => Promise<void>,
): void {
  test(`${name} [${source}]`, { timeout: CASE_TIMEOUT_MS }, (t) =>
    exchanges.run(async () => {
      try {
        await check(t);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        const lines = exchanges.list().map((line) => line.replaceAll(/^/gm, "  "));
        const message = [reason, "Last exchanges:", ...lines].join("\n");
        throw new ConformanceError(message, { cause: error });
      }
    }),
  );
}

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { type FileRun, type PoolOptions, runFiles } from "./pool.ts";

const resources = join(import.meta.dirname, "../resources.ts");
const folder = await mkdtemp(join(tmpdir(), "avow-pool-"));
after(() => rm(folder, { recursive: true }));

/** Runs test files with these texts in one worker; returns the run of each, in order. */
async function runTexts(
  texts: readonly string[],
  options: Partial<Pick<PoolOptions, "signal">> = {},
): Promise<FileRun[]> {
  const files = texts.map((_, index) => join(folder, `${index}.test.ts`));
  for (const [index, text] of texts.entries())
    await writeFile(files[index] ?? "", `import { test } from "node:test";\n${text}\n`);
  const runs: FileRun[] = [];
  await runFiles({
    files,
    workers: 1,
    env: {},
    timeouts: { testMs: 5_000, fileMs: 10_000 },
    signal: new AbortController().signal,
    isLive: false,
    onFile: (run) => runs.push(run),
    ...options,
  });
  return runs;
}

const listOutcomes = (runs: readonly FileRun[]) =>
  runs.map(({ tests }) => tests.map(({ names, outcome }) => `${names.join(" ")}: ${outcome}`));

describe("a pool of test workers", () => {
  it("ends a worker whose test left a timer behind", async () => {
    const runs = await runTexts(['test("a", () => void setInterval(() => {}, 1_000));']);
    assert.deepEqual(listOutcomes(runs), [["a: passed"]]);
  });

  it("reports an error that is thrown after the end of its test", async () => {
    const late = 'test("a", () => void setTimeout(() => { throw new Error("late boom"); }, 20));';
    const slow = 'test("b", () => new Promise((resolve) => setTimeout(resolve, 200)));';
    const errors = (await runTexts([late, slow])).flatMap(({ tests }) =>
      tests.map(({ error = "" }) => error),
    );
    assert.match(errors.join("\n"), /late boom/);
  });

  it("fails a file that has no test, and one that ends its process", async () => {
    const [empty, ended] = await runTexts(["", 'test("a", () => process.exit(0));']);
    assert.match(empty?.tests[0]?.error ?? "", /has no test/);
    assert.match(ended?.tests[0]?.error ?? "", /The worker ended \(status 0\)/);
  });

  it("names the last file of a worker that cannot close what its files share", async () => {
    const text = `import { keepOpen } from ${JSON.stringify(resources)};
      keepOpen({ [Symbol.asyncDispose]: async () => { throw new Error("still in use"); } });
      test("a", () => undefined);`;
    const [passed, closing] = await runTexts([text]);
    assert.equal(closing?.file, passed?.file);
    assert.deepEqual(listOutcomes(closing ? [closing] : []), [
      ["uncaught error: failed", "after all files of this worker: failed"],
    ]);
    assert.match(closing?.tests[0]?.error ?? "", /still in use/);
  });

  it("counts a todo test as skipped, whatever its outcome", async () => {
    const runs = await runTexts(['test("a", { todo: "later" }, () => { throw new Error("a"); });']);
    assert.deepEqual(listOutcomes(runs), [["a: skipped"]]);
    assert.equal(runs[0]?.tests[0]?.reason, "later");
  });

  it("stops at its signal, and reports no file that was cut off", async () => {
    const text = 'test("a", () => new Promise((resolve) => setTimeout(resolve, 4_000)));';
    const runs = await runTexts([text, text], { signal: AbortSignal.timeout(300) });
    assert.deepEqual(runs, []);
  });
});

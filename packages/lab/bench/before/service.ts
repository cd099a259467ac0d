import { join } from "node:path";
import { type Measure, type Scenario, measure } from "../measure/load.ts";
import { listBackends, readProcessorSeconds, secondsSince } from "../measure/processor.ts";
import type { Bench } from "../measure/run.ts";
import { type BenchService, openAvow } from "../measure/service.ts";
import { copySources } from "./source-tree.ts";

/** The help of the option that names the commit to compare with. */
export const beforeHelp = `  --before COMMIT   also measure the service of this commit, in alternation, on the same PostgreSQL`;

/** Starts the service of an earlier commit with the dependencies of this checkout. */
export async function openBefore(
  { folder, opened }: Bench,
  given: { commit: string; databaseUrl: string },
): Promise<BenchService> {
  const tree = join(folder, "before");
  await copySources(tree, { commit: given.commit });
  return opened.use(await openAvow(join(folder, "of-before"), given.databaseUrl, {}, tree));
}

/** A measurement with the processor time of each request, in µs. */
export interface CostMeasure extends Measure {
  nodeMicroseconds: number;
  postgresMicroseconds: number;
}

/** Measures after a warm-up, with the processor time of the service and of the PostgreSQL processes of its database. */
export async function measureCost(
  scenario: Scenario,
  given: { seconds: number; pid: number; databaseUrl: string },
): Promise<CostMeasure> {
  const warmup = await measure(scenario, 1, 0);
  const backends = await listBackends(given.databaseUrl);
  const readTimes = () =>
    Promise.all([readProcessorSeconds([given.pid]), readProcessorSeconds(backends)]);
  const [node, postgres] = await readTimes();
  const measured = await measure(scenario, given.seconds, 0);
  const [nodeAfter, postgresAfter] = await readTimes();
  const toMicroseconds = (seconds: number) => (seconds * 1e6) / measured.answered;
  const failure = warmup.failure ?? measured.failure;
  return {
    ...measured,
    answered: measured.answered + warmup.answered,
    failures: measured.failures + warmup.failures,
    ...(failure === undefined ? {} : { failure }),
    nodeMicroseconds: toMicroseconds(secondsSince(node, nodeAfter)),
    postgresMicroseconds: toMicroseconds(secondsSince(postgres, postgresAfter)),
  };
}

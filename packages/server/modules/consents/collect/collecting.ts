import type { Tracing } from "../../../platform/telemetry/tracing.ts";
import type { Bucket } from "../../../platform/db/buckets/buckets.ts";
import { openCollectPool } from "../../../platform/db/open.ts";
import { openAnswerCombinations } from "../states/answer-combinations.ts";
import type { ConsentsPorts } from "../ports.ts";
import { openCollector } from "./collector.ts";
import { openLiveOffers } from "../offers/live-offers.ts";
import { openDisplays } from "../displays/displays.ts";

/** Opens collection with its own connections and caches, and the display counts. `opened` disposes of them. */
export function openCollecting(
  opened: AsyncDisposableStack,
  app: Pick<
    ConsentsPorts,
    "db" | "buckets" | "now" | "log" | "config" | "dataUrl" | "intervals" | "commitKnown"
  > & { tracing: Tracing | undefined },
) {
  const { buckets, log, config, dataUrl: url, commitKnown: commit } = app;
  const { queueMax } = config.collect;
  const { pooling } = config.database;
  const live = openLiveOffers(app);
  const choices = openAnswerCombinations(buckets, log);
  const openPool = ({ name: schema }: Bucket) => {
    const connections = Math.ceil(config.collect.connections / buckets.list().length);
    return openCollectPool({ url, connections, schema, pooling, log });
  };
  const collector = opened.use(
    openCollector({ ...app, openPool, live, choices, commit, queueMax }),
  );
  const displays = opened.use(openDisplays({ buckets, log, intervals: app.intervals }));
  return { live, choices, displays, collector };
}

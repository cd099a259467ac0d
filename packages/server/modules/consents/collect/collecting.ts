import type { Tracing } from "../../../platform/telemetry/tracing.ts";
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
    "db" | "data" | "now" | "log" | "config" | "dataUrl" | "intervals" | "commitKnown"
  > & { tracing: Tracing | undefined },
) {
  const { data, log, config, dataUrl: url, commitKnown: commit } = app;
  const { queueMax } = config.collect;
  const { pooling } = config.database;
  const live = openLiveOffers(app);
  const choices = openAnswerCombinations(data, log);
  const pool = openCollectPool({ url, ...config.collect, pooling, log });
  const collector = opened.use(
    openCollector({ ...app, db: data, pool, live, choices, commit, queueMax }),
  );
  const displays = opened.use(openDisplays({ db: data, log, intervals: app.intervals }));
  return { live, choices, displays, collector };
}

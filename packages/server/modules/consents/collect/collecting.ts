import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../../../config/config.ts";
import type { Db } from "../../../platform/db/db.ts";
import { openCollectPool } from "../../../platform/db/open.ts";
import { openChoices } from "../states/answer-combinations.ts";
import type { Intervals } from "../../../kernel/intervals.ts";
import type { CommitKnown } from "../commitments/commitments.ts";
import { openCollector } from "./collector.ts";
import { openLiveOffers } from "../offers/live-offers.ts";
import { countAnswered } from "./count-answers.ts";
import { openDisplays } from "../displays/displays.ts";

/**
 * Opens collection with its own connections and what it keeps in memory, and the counting of displays, which
 * it adds answers to. All of it ends with `opened`.
 */
export function openCollecting(
  opened: AsyncDisposableStack,
  app: {
    db: Db;
    now: () => Date;
    log: FastifyBaseLogger;
    config: Pick<Config, "collect">;
    databaseUrl: string;
    intervals: Intervals;
    commitKnown: CommitKnown;
  },
) {
  const { db, log, config, databaseUrl: url, commitKnown: commit } = app;
  const { queueMax } = config.collect;
  const live = openLiveOffers(db);
  const choices = openChoices(db, log);
  const pool = openCollectPool({ url, ...config.collect, log });
  const writing = opened.use(openCollector({ ...app, pool, live, choices, commit, queueMax }));
  const displays = opened.use(openDisplays({ db, log, intervals: app.intervals }));
  return { live, choices, displays, collector: countAnswered(writing, displays) };
}

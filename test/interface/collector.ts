import assert from "node:assert/strict";
import { sql } from "kysely";
import { pino } from "pino";
import { openAnswerCombinations } from "../../packages/server/modules/consents/states/answer-combinations.ts";
import { openCollector } from "../../packages/server/modules/consents/collect/collector.ts";
import { collectConsent } from "../../packages/server/modules/consents/collect/collect.ts";
import { openLiveOffers } from "../../packages/server/modules/consents/offers/live-offers.ts";
import type { CollectedConsent } from "../../packages/server/modules/consents/collect/pending.ts";
import { toSender } from "../../packages/server/modules/consents/collect/sender.ts";
import { rebuildStates } from "../../packages/server/modules/consents/erase/rebuild.ts";
import { openKnownCommit } from "../../packages/server/modules/evidence/log/sequence/commitments.ts";
import { openFacts } from "../../packages/server/modules/evidence/log/sequence/facts.ts";
import { toNoteKey } from "../../packages/server/modules/evidence/log/note.ts";
import { openTickets } from "../../packages/server/modules/evidence/tickets.ts";
import { openCollectPool } from "../../packages/server/platform/db/open.ts";
import { intervals, service } from "../harness.ts";
import type { Site } from "./site.ts";

/** A collector of consents in one process, which tests stop, fill, or race against another. */
export interface Node extends AsyncDisposable {
  /** Collects an answer to the project's cookies. */
  collect(
    site: Site,
    body: {
      accept: boolean;
      token?: string;
      preferences?: { vendors: Record<string, boolean> };
      ticket?: string;
    },
    more?: {
      key?: string;
      collection?: string;
      identifier?: string;
      userAgent?: string;
      origin?: string;
    },
  ): Promise<CollectedConsent>;
}

/** Opens a separate collector on the tests' database, as another node has one. */
export function openNode({
  connections = 2,
  queueMax = 5_000,
  choices = openAnswerCombinations(service.buckets),
  keys = [toNoteKey("tests", Buffer.alloc(32, 1))],
  now = service.clock.now,
} = {}): Node {
  const { buckets, dataUrl: url } = service;
  const log = pino({ level: "silent" });
  const live = openLiveOffers(service);
  const tickets = openTickets({ read: async () => keys });
  const openPool = ({ name: schema }: { name: string }) =>
    openCollectPool({ url, connections, schema, log });
  const collector = openCollector({
    buckets,
    openPool,
    live,
    choices,
    commit: openKnownCommit(buckets, openFacts()),
    now,
    log,
    queueMax,
    intervals,
  });
  return {
    collect: (site, body, more = {}) =>
      collectConsent(
        { live, collector, tickets, displays: { noteAnswer: () => {} }, now },
        {
          projectId: site.id,
          collection: more.collection ?? "cookies",
          identifier: more.identifier ?? site.cookies,
          sender: toSender({ "user-agent": more.userAgent, origin: more.origin }, false, undefined),
          body,
          idempotencyKey: more.key,
          sizeBytes: 500,
        },
      ),
    [Symbol.asyncDispose]: () => collector[Symbol.asyncDispose](),
  };
}

/** Checks that the states of a project follow from its records; returns the number of records. */
export async function assertStatesMatchRecords(projectId: string): Promise<number> {
  const different: string[] = [];
  const { records } = await rebuildStates(service.data, {
    projectId,
    isCheck: true,
    onDifference: ({ token, identifier }) => different.push(`${token} ${identifier}`),
  });
  assert.deepEqual(different, []);
  const { rows } = await sql<{ states: number }>`
    SELECT (SELECT count(*) FROM past_states WHERE project_id = ${projectId})
      + (SELECT count(*) FROM consent_states WHERE project_id = ${projectId}) AS states
  `.execute(service.data);
  assert.equal(rows[0]?.states, records, "each record has one state");
  return records;
}

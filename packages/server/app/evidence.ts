import type { FastifyBaseLogger } from "fastify";
import type { Config, Secrets } from "../config/config.ts";
import type { AnswerCombinations } from "../modules/consents/states/answer-combinations.ts";
import { openKnownCommit } from "../modules/evidence/log/sequence/commitments.ts";
import { registerAuditPackageRoutes } from "../modules/evidence/reports/audit-package/routes.ts";
import { registerErasureRoutes } from "../modules/evidence/erasures/erasure-routes.ts";
import { type Facts, openFacts } from "../modules/evidence/log/sequence/facts.ts";
import { openPdfMaker } from "../modules/evidence/reports/pdf/maker.ts";
import { type LogKeys, openLogKeys } from "../modules/evidence/log/keys.ts";
import { registerLogRoutes } from "../modules/evidence/log/sequence/log-routes.ts";
import { findLogOrigin } from "../modules/evidence/log/origin.ts";
import { registerProofRoutes } from "../modules/evidence/reports/proof-routes.ts";
import { runRetention } from "../modules/evidence/erasures/retention.ts";
import { openSequencer } from "../modules/evidence/log/sequence/sequencer.ts";
import { getVerifierPage } from "../modules/evidence/proofs/verifier-page.ts";
import { registerVerifierRoute } from "../modules/evidence/proofs/verifier-routes.ts";
import { registerTimestampRoutes } from "../modules/evidence/anchors/timestamp-routes.ts";
import { openTimestamps } from "../modules/evidence/anchors/timestamps.ts";
import { announceWidget } from "../modules/evidence/log/sequence/widget-entries.ts";
import { confirmTree, openWitnesses, toWitnesses } from "../modules/evidence/anchors/witnesses.ts";
import type { PersonApp } from "../modules/person/answers/ports.ts";
import { registerPersonRoutes } from "../modules/person/routes.ts";
import type { AllBrowserFiles } from "../platform/browser-files.ts";
import type { AllPlanes } from "../platform/db/buckets/buckets.ts";
import type { Tracing } from "../platform/telemetry/tracing.ts";
import type { Http } from "../http/http.ts";
import { type WidgetFiles, toWidgetFacts } from "../modules/publish/publications/widget-files.ts";
import type { Counters } from "../kernel/counters.ts";
import type { Intervals } from "../kernel/intervals.ts";
import type { Jobs } from "../kernel/jobs.ts";
import type { Regions } from "../platform/regions/regions.ts";
import type { OpenRate } from "../platform/queues/rate.ts";
import type { Misses } from "../platform/queues/misses.ts";

/** Shorter than the lease of the job, ten minutes. */
const RETENTION_RUN_MS = 8 * 60_000;

/** Opens the log's name, its signing keys, and the commitments to records. */
export async function openSigning({
  buckets,
  config,
  secrets,
  log,
}: Pick<EvidenceOptions, "buckets" | "config" | "log"> & { secrets: Secrets }) {
  const { dataDir } = config;
  const { publicUrl } = config.http;
  const origin = await findLogOrigin(buckets.home.data, { ...config.evidence, publicUrl });
  const keys = await openLogKeys({ dataDir, origin, keys: secrets.logKeys, log });
  const facts = openFacts();
  return { origin, keys, facts, commitKnown: openKnownCommit(buckets, facts) };
}

export interface EvidenceOptions extends AllPlanes {
  now: () => Date;
  log: FastifyBaseLogger;
  tracing: Tracing | undefined;
  config: Config;
  intervals: Intervals;
  origin: string;
  keys: LogKeys;
  facts: Facts;
  jobs: Jobs;
  counters: Counters;
  choices: AnswerCombinations;
  widget: WidgetFiles;
  browserFiles: Pick<AllBrowserFiles, "verifier">;
  misses: Misses;
  regions: Regions;
  openRate: OpenRate;
  /** Whether this process also does the work that no request waits for. */
  hasBackgroundWork: boolean;
}

type Collecting = Pick<PersonApp, "live" | "collector" | "tickets" | "displays">;

/** Opens the transparency log: its routes, its sequencer, and erasure. */
export async function openEvidence(
  opened: AsyncDisposableStack,
  http: Http,
  app: EvidenceOptions & Collecting,
): Promise<void> {
  const { db, buckets, config, facts, misses } = app;
  const { data } = buckets.home;
  const { publicUrl } = config.http;
  await announceWidget(data, toWidgetFacts(app.widget), app.now());
  if (app.hasBackgroundWork) startLog(opened, app);
  const pdfs = opened.use(openPdfMaker());
  registerProofRoutes(http, { db, buckets, facts, pdfs, publicUrl, misses });
  const { visitorLinksPerMinuteMax } = config;
  registerPersonRoutes(http, { ...app, pdfs, publicUrl, visitorLinksPerMinuteMax });
  const verifierPage = getVerifierPage(app.browserFiles.verifier);
  registerAuditPackageRoutes(http, { ...app, verifierPage });
  registerErasureRoutes(http, { ...app, publicUrl });
  const retaining = { ...app, retentionMonths: config.retentionMonths };
  const stopping = new AbortController();
  opened.defer(() => stopping.abort());
  await app.jobs.scheduleJob("retention", "37 * * * *", () =>
    runRetention(
      retaining,
      AbortSignal.any([stopping.signal, AbortSignal.timeout(RETENTION_RUN_MS)]),
    ),
  );
  registerLogRoutes(http, { db: data });
  registerVerifierRoute(http, verifierPage);
  registerTimestampRoutes(http, { db: data, publicUrl });
}

/** Starts the workers that append to the log, and have its checkpoints confirmed. */
function startLog(opened: AsyncDisposableStack, app: EvidenceOptions): void {
  const { authority } = app.config.evidence;
  const witnesses = toWitnesses(app.config.evidence.witnesses);
  const { data } = app.buckets.home;
  const onData = { ...app, db: data };
  opened.use(
    openSequencer({
      ...onData,
      confirmTree: (head, signal) => confirmTree({ db: data, witnesses }, head, signal),
    }),
  );
  opened.use(openWitnesses({ ...onData, witnesses }));
  if (authority) opened.use(openTimestamps({ ...onData, authority }));
}

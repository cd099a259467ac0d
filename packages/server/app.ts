import { setTimeout as delay } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import { openAuth } from "./app/auth.ts";
import { type EvidenceOptions, openEvidence, openSigning } from "./app/evidence.ts";
import { openAssets, openImports, transferFiles } from "./app/files.ts";
import { openDomains } from "./app/domains.ts";
import { openMoveIn } from "./app/moving.ts";
import { openReviews } from "./app/reviews.ts";
import { openNotifications } from "./app/notifications.ts";
import { openScans } from "./app/scans.ts";
import { openTemplates } from "./app/templates.ts";
import { openWebhooks } from "./app/webhooks.ts";
import type { Config, Secrets } from "./config/config.ts";
import { registerAdminRoutes } from "./modules/admin/routes.ts";
import { ASSET_FOLDER } from "./modules/assets/formats/tasks.ts";
import { runAssetHousekeeping, startAssetJobs } from "./modules/assets/jobs.ts";
import { registerAssetRoutes } from "./modules/assets/routes.ts";
import { openAuthentication } from "./modules/auth/sessions/authentication.ts";
import { type ClaimLink, createFirstClaim } from "./modules/auth/instance/claims.ts";
import { toOperator } from "./modules/auth/instance/operators.ts";
import { deleteExpired } from "./modules/auth/jobs.ts";
import { assertInScope } from "./modules/auth/keys/scope.ts";
import type { BillingApp } from "./modules/billing/app.ts";
import { runBillingHousekeeping, startBillingJobs } from "./modules/billing/jobs.ts";
import { toPlans } from "./modules/billing/plans.ts";
import { registerBillingRoutes } from "./modules/billing/routes.ts";
import { registerClientRoutes } from "./modules/client/routes.ts";
import { openArchive } from "./modules/consents/archive/open.ts";
import { openCollecting } from "./modules/consents/collect/collecting.ts";
import { openTokenReader } from "./modules/consents/states/token-state.ts";
import { runConsentHousekeeping, startConsents } from "./modules/consents/housekeeping/jobs.ts";
import { startMonthJobs } from "./modules/consents/months/jobs.ts";
import { startImportJobs } from "./modules/consents/imports/jobs.ts";
import { registerImportRoutes } from "./modules/consents/imports/routes.ts";
import { deleteExpiredExports } from "./modules/consents/exports/jobs.ts";
import { registerExportRoutes } from "./modules/consents/exports/routes.ts";
import { registerRegistryRoute } from "./modules/consents/read/registry-routes.ts";
import { registerConsentRoutes } from "./modules/consents/collect/routes.ts";
import { registerStatsRoutes } from "./modules/consents/stats/routes.ts";
import { followProject } from "./modules/consents/offers/projects.ts";
import { hasConsents } from "./modules/consents/records/store.ts";
import { openSteps } from "./modules/consents/displays/steps.ts";
import { openTally } from "./modules/consents/stats/tally.ts";
import { findCheckpoint } from "./modules/evidence/log/origin.ts";
import { findLogSize, listPlacedConsents } from "./modules/evidence/log/placed.ts";
import { openTickets } from "./modules/evidence/tickets.ts";
import { registerDemoRoutes } from "./modules/demo/routes.ts";
import { startPublishJobs } from "./modules/publish/jobs/jobs.ts";
import { registerHandoverRoutes } from "./modules/publish/handover/routes.ts";
import { findApprovals } from "./modules/reviews/approvals/counting.ts";
import { registerPublishRoutes } from "./modules/publish/jobs/routes.ts";
import {
  findProjectState,
  getOwnOrganization,
  openProjectReader,
} from "./modules/vault/documents/access.ts";
import { compileChecks } from "./modules/vault/schemas/checks.ts";
import { countUse } from "./modules/vault/documents/plan-limits.ts";
import { openBodyMemory } from "./modules/webhooks/deliveries/body-memory.ts";
import { registerRegionRoute } from "./modules/regions/routes.ts";
import { revokeLinks } from "./modules/reviews/links/links.ts";
import { runReviewHousekeeping } from "./modules/reviews/housekeeping.ts";
import { runScanHousekeeping } from "./modules/scans/jobs.ts";
import { sumMailCounts } from "./modules/status/mail-counts.ts";
import { createReadings } from "./modules/status/readings.ts";
import { registerStatusRoute } from "./modules/status/routes.ts";
import { deleteExpiredTransfers } from "./modules/vault/transfers/offers.ts";
import { registerVaultRoutes } from "./modules/vault/routes.ts";
import { deleteOldDeliveries } from "./modules/webhooks/deliveries/housekeeping.ts";
import { deleteOldMarks } from "./modules/webhooks/feed/jobs.ts";
import { type AllBrowserFiles, readAllBrowserFiles } from "./platform/browser-files.ts";
import type { InvalidationIn } from "./platform/cdn/cdn.ts";
import { openCdn } from "./platform/cdn/open.ts";
import { assertDatabaseResponds, assertPostgresVersion, openPlanes } from "./platform/db/open.ts";
import { planesOf, tryEachBucket } from "./platform/db/buckets/buckets.ts";
import { openDataPlane } from "./platform/db/buckets/open.ts";
import { assertMigrated, migratePlanes } from "./platform/db/migrations/migrate.ts";
import { type DiskSpace, unwatchedDisk } from "./platform/disk-space.ts";
import { registerAuthentication } from "./http/authentication.ts";
import { registerPublishedFiles } from "./http/files/files.ts";
import { registerHealth } from "./http/monitoring/health.ts";
import { registerMetrics } from "./http/monitoring/metrics.ts";
import type { Http } from "./http/http.ts";
import { registerOpenApi } from "./http/openapi/openapi.ts";
import { registerDiskSpace } from "./http/disk-space.ts";
import { registerRoot } from "./http/root.ts";
import { openWidget } from "./modules/publish/publications/widget-files.ts";
import { registerWidgetRoute } from "./modules/publish/publications/widget-routes.ts";
import { createHttp } from "./http/server.ts";
import { openStreams } from "./http/streams.ts";
import { deleteKeysBefore } from "./http/idempotency-store.ts";
import { deleteReceipts, openEventRelay } from "./kernel/events/outbox.ts";
import { openCounters } from "./kernel/counters.ts";
import { openJobs } from "./kernel/jobs.ts";
import { deleteMailFiles } from "./platform/mail/folder.ts";
import { type Intervals, usualIntervals } from "./kernel/intervals.ts";
import type { Mail } from "./platform/mail/mail.ts";
import { openMails } from "./platform/mail/open.ts";
import { CACHED_MS, openCachedObjects } from "./platform/objects/cached.ts";
import type { Objects } from "./platform/objects/objects.ts";
import { openObjects } from "./platform/objects/open.ts";
import { type LookupAll, openLookup } from "./platform/outbound/lookup.ts";
import { openRates } from "./platform/queues/rate.ts";
import { openMisses } from "./platform/queues/misses.ts";
import type { Passwords } from "./platform/crypto/passwords.ts";
import { openRegions } from "./platform/regions/regions.ts";
import { openPayments } from "./platform/payments/open.ts";
import { openSecretKey } from "./platform/crypto/secret-key.ts";
import type { Peers } from "./platform/workers/worker.ts";
import type { Telemetry } from "./platform/telemetry/telemetry.ts";
import { withClientSpan } from "./platform/telemetry/tracing.ts";
import { paths } from "@avow/contract/urls";
import { version } from "./platform/version.ts";

const IDEMPOTENCY_HOURS = 24;
const MAIL_FILES_MS = 30 * 86_400_000;

export interface AppOptions {
  config: Config;
  secrets: Secrets;
  databaseUrl: string;
  /** Default: the same database. */
  dataUrl?: string | undefined;
  log: FastifyBaseLogger;
  now?: () => Date;
  intervals?: Intervals;
  /** Default: argon2id at full cost. */
  passwords?: Passwords;
  /** Free space of the database's disk, if it is on this machine. */
  diskSpace?: DiskSpace;
  telemetry?: Telemetry | undefined;
  /** The other worker processes of the service, if this is one of several. */
  peers?: Peers | undefined;
  /** Looks up the hosts of webhooks and domains. Default: by the system's name servers. */
  lookup?: LookupAll;
  /** Default: read when the app opens. */
  browserFiles?: AllBrowserFiles;
}

/** The service: its routes and its jobs. Disposal finishes open requests, then stops everything. */
export interface App extends AsyncDisposable {
  http: Http;
  /**
   * Answers what is open and what still arrives on open connections, then closes them. For a process whose successor
   * already accepts connections; disposal follows.
   */
  handOver(): Promise<void>;
  /** Creates the link that makes an account the first operator; undefined if there is an operator. */
  createFirstClaim(): Promise<ClaimLink | undefined>;
}

/**
 * The composition root: migrates the database, opens everything and hands it down. Disposal is in reverse order.
 */
export async function openApp(options: AppOptions): Promise<App> {
  const { config, secrets, databaseUrl, log, now = () => new Date() } = options;
  const {
    lookup = openLookup(),
    diskSpace = unwatchedDisk,
    intervals = usualIntervals,
    telemetry,
    peers,
  } = options;
  const hasBackgroundWork = peers?.plan.hasBackgroundWork ?? true;
  const tracing = telemetry?.tracing;
  const { publicUrl } = config.http;
  const stopTimeoutMs = config.shutdownTimeoutMs;
  const { pooling } = config.database;
  await using opened = new AsyncDisposableStack();
  const { dataUrl = databaseUrl } = options;
  const urls = { url: databaseUrl, dataUrl };
  const planes = opened.use(openPlanes({ ...urls, ...config.database, log }));
  const { db } = planes;
  for (const plane of [db, planes.data]) await assertPostgresVersion(plane);
  if (config.migratesAtStart) await migratePlanes(urls, log, pooling);
  else for (const plane of [db, planes.data]) await assertMigrated(plane);
  const archiving = { config: config.archive.objects, now, log };
  const archive = opened.use(await openArchive(archiving));
  const buckets = opened.use(
    await openDataPlane({
      ...config.database,
      home: planes.data,
      dataUrl,
      log,
      attach: archive.attach,
      hasProject: async (id) => (await findProjectState(db, id)) !== undefined,
    }),
  );
  // Opened before the jobs, which finish their work during disposal.
  const storage = opened.use(await openObjects(config.objects, now));
  const { objects, readFirst } = openCachedObjects(storage, config.publishedMemoryBytesMax);
  const purger = opened.use(await openCdn({ config, headers: secrets.purgeHeaders, log, now }));
  const cdn = {
    invalidatePaths: withClientSpan(tracing, "purge CDN", async (given: InvalidationIn) => {
      // A purged cache might read the version before from the memory of another node.
      if (config.cdn.kind !== "none" && config.publishedMemoryBytesMax > 0) await delay(CACHED_MS);
      return purger.invalidatePaths(given);
    }),
  };
  const sender = opened.use(await openMails({ config, secrets, log }));
  const mails = {
    sendMail: withClientSpan(tracing, "send mail", (mail: Mail) => sender.sendMail(mail)),
  };
  const jobs = opened.use(
    await openJobs({
      databaseUrl,
      pooling,
      log,
      tracing,
      stopTimeoutMs,
      runsJobs: hasBackgroundWork,
    }),
  );
  const secret = await openSecretKey({ dataDir: config.dataDir, secretKey: secrets.secretKey });
  const counters = await openCounters(db, secret);
  const plans = toPlans(config);
  const payments = opened.use(await openPayments({ db, now, config, plans, secrets }));
  const regions = await openRegions(config.regions);
  const shared = {
    db,
    buckets,
    regions,
    now,
    config,
    plans,
    jobs,
    log,
    diskSpace,
    intervals,
    publicUrl,
    lookup,
    counters,
    tracing,
    openRate: openRates(peers),
    processes: peers?.plan.count ?? 1,
    hasBackgroundWork,
  };
  const checks = compileChecks();
  const browserFiles = options.browserFiles ?? (await readAllBrowserFiles(log));
  const widget = await openWidget(browserFiles.widget, config, objects);
  const assets = await openAssets(opened, { ...shared, objects });
  const publishing = { ...assets, cdn, payments, widget, findApprovals };

  const authentication = opened.use(openAuthentication({ db, log, config }));
  const signing = await openSigning({ buckets, config, secrets, log });
  const writing = { ...shared, ...signing, dataUrl };
  const { live, choices, collector, displays } = openCollecting(opened, writing);
  if (hasBackgroundWork) await startConsents(shared);
  const http = createHttp(config, log, { tracing, peers });
  opened.defer(() => http.close());
  const { operatorToken } = secrets;
  registerAuthentication(http, {
    ...shared,
    ...authentication,
    assertInScope,
    operatorToken,
    toOperator: (user, request) => toOperator(db, user, request),
  });
  registerDiskSpace(http, diskSpace);
  const held = openBodyMemory(config.webhooks.bytesMax);
  await registerOpenApi(http, { publicUrl, version });
  registerHealth(http, async () => {
    await Promise.all([assertDatabaseResponds(db), assertDatabaseResponds(buckets.home.data)]);
  });
  const mailCounts = { sent: 0, failed: 0 };
  const readings = createReadings({ db, buckets, now, config, mailCounts });
  const parts = [choices, displays, collector, held, { readings }];
  const metrics = registerMetrics(http, { token: secrets.metricsToken, parts, peers });
  telemetry?.exportMetrics(metrics);
  const startedAt = peers ? new Date(peers.plan.startedAtMs) : now();
  const readMailCounts = () => sumMailCounts(mailCounts, peers);
  const databases = dataUrl === databaseUrl ? [db] : [db, planes.data];
  registerStatusRoute(http, { db, buckets, databases, now, config, readMailCounts, startedAt });
  registerRoot(http, { publicUrl, version });
  registerPublishedFiles(http, { objects, readFirst, prefix: paths.cdn, hidden: ASSET_FOLDER });
  registerWidgetRoute(http, widget);
  const signingIn = { ...options, ...shared, mails, mailCounts, secret };
  const { outbox, lookups, tryCountMail, ...letters } = await openAuth(opened, http, signingIn);
  await openBilling(http, { ...shared, payments });
  const streams = openStreams(http);
  const vault = {
    ...shared,
    payments,
    checks,
    streams,
    lookups,
    ...letters,
    transferFiles,
    revokeReviewLinks: revokeLinks,
    hasConsents: async (projectId: string) =>
      hasConsents((await buckets.of(projectId)).data, projectId),
    followProject: async (projectId: string) =>
      followProject(await planesOf(shared, projectId), log, projectId),
  };
  registerVaultRoutes(http, vault);
  await openDomains(opened, http, { ...shared, secret });
  registerPublishRoutes(http, { ...publishing, checks });
  openReviews(http, { ...publishing, checks });
  await openTemplates(http, { ...publishing, checks, hasBackgroundWork });
  const needsConfirmedAddress = config.mail.rightsByEmail === "confirmed";
  registerHandoverRoutes(http, { ...shared, needsConfirmedAddress, outbox, tryCountMail });
  registerAssetRoutes(http, assets);
  const collecting = { live, collector, tickets: openTickets(signing.keys), displays };
  const steps = openSteps(db);
  const misses = openMisses(shared.openRate, config.visitorMissesPerMinuteMax);
  registerConsentRoutes(http, { ...shared, ...collecting, steps, misses });
  openStats(opened, http, shared);
  registerRegistryRoute(http, { ...shared, streams });
  const importing = { ...shared, ...(await openImports({ ...shared, ...signing })), choices };
  registerImportRoutes(http, importing);
  registerExportRoutes(http, { ...shared, findCheckpoint });
  const reading = {
    projects: openProjectReader(db),
    tokens: openTokenReader({ db, buckets, live }),
  };
  registerClientRoutes(http, { ...vault, ...reading });
  registerRegionRoute(http, shared);
  await openEvidence(opened, http, {
    ...shared,
    ...signing,
    choices,
    widget,
    browserFiles,
    misses,
    ...collecting,
  });
  await openScans(opened, http, { ...shared, outbox });
  openMoveIn(opened, http, shared);
  registerAdminRoutes(http, { publicUrl, config, files: browserFiles.admin });
  registerDemoRoutes(http, shared);
  openWebhooks(opened, http, { ...shared, databaseUrl, secret, outbox, held });
  await openNotifications(opened, http, { ...shared, secret, outbox });

  if (hasBackgroundWork) opened.use(openEventRelay(shared));
  await startJobs(opened, { shared, assets, publishing, importing, archive: archive.objects });
  await http.ready();
  const closing = opened.move();
  return {
    http,
    async handOver() {
      http.isHandedOver = true;
      await http.close();
    },
    createFirstClaim: () => createFirstClaim(db, { publicUrl, now: now() }),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Starts background work that no route starts, in the process that does it. */
async function startJobs(
  opened: AsyncDisposableStack,
  app: {
    shared: HousekeepingApp & Pick<EvidenceOptions, "jobs" | "hasBackgroundWork">;
    assets: Parameters<typeof startAssetJobs>[0] & Parameters<typeof runAssetHousekeeping>[0];
    publishing: Parameters<typeof startPublishJobs>[0];
    importing: Parameters<typeof startImportJobs>[0];
    archive: Objects;
  },
): Promise<void> {
  const { shared, assets, archive: objects } = app;
  if (!shared.hasBackgroundWork) return;
  await startAssetJobs(assets);
  await startPublishJobs(app.publishing);
  opened.use(await startImportJobs(app.importing));
  await startMonthJobs(opened, { ...shared, objects });
  await shared.jobs.scheduleJob("housekeeping", "7 * * * *", () => runHousekeeping(shared, assets));
}

type HousekeepingApp = Pick<EvidenceOptions, "db" | "buckets" | "now" | "log" | "config"> &
  Parameters<typeof runConsentHousekeeping>[0];

/** Starts the hourly housekeeping. */
async function runHousekeeping(
  app: HousekeepingApp,
  assets: Parameters<typeof runAssetHousekeeping>[0],
): Promise<void> {
  const { db, now, config } = app;
  await deleteExpired(db, { now: now(), idleMs: config.sessionIdleMs });
  await deleteExpiredTransfers(db, now());
  if (!config.mail.smtp)
    await deleteMailFiles(config.mail.folder, new Date(now().getTime() - MAIL_FILES_MS));
  const answeredBefore = new Date(now().getTime() - IDEMPOTENCY_HOURS * 3_600_000);
  await deleteKeysBefore(db, answeredBefore);
  await tryEachBucket(app, async (data) => {
    await deleteKeysBefore(data, answeredBefore);
    await deleteExpiredExports(data, now());
  });
  await deleteReceipts(db, now());
  await runConsentHousekeeping(app);
  await runBillingHousekeeping(app);
  await runAssetHousekeeping(assets);
  await deleteOldDeliveries(db, now());
  await deleteOldMarks(db, now());
  await runScanHousekeeping(app);
  await runReviewHousekeeping(app);
}

/** Opens statistics: their route, and the worker that counts answers in the order of the log. */
function openStats(
  opened: AsyncDisposableStack,
  http: Http,
  app: Pick<
    EvidenceOptions,
    "db" | "buckets" | "now" | "log" | "intervals" | "hasBackgroundWork" | "config"
  > & {
    publicUrl: string;
  },
): void {
  registerStatsRoutes(http, { ...app, findLogSize });
  if (app.hasBackgroundWork) opened.use(openTally({ ...app, findLogSize, listPlacedConsents }));
}

/** Opens plans and payments: their routes, and the payment provider's events. */
async function openBilling(
  http: Http,
  app: Omit<BillingApp, "getOwnOrganization" | "countUse"> & Parameters<typeof startBillingJobs>[0],
): Promise<void> {
  registerBillingRoutes(http, { ...app, getOwnOrganization, countUse });
  await startBillingJobs(app);
}

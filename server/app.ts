import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import type { Config, Secrets } from "./config.ts";
import { registerAdminRoutes } from "./modules/admin/routes.ts";
import { openPictures } from "./modules/assets/child/pool.ts";
import { ASSET_FOLDER } from "./modules/assets/child/tasks.ts";
import { keepAssets, startAssetJobs } from "./modules/assets/jobs.ts";
import { openRenders } from "./modules/assets/renders.ts";
import { registerAssetRoutes } from "./modules/assets/routes.ts";
import { openSpool } from "./modules/assets/spool.ts";
import { openAsks } from "./modules/auth/asks.ts";
import { openSignups } from "./modules/auth/signups.ts";
import { openAttempts } from "./modules/auth/attempts.ts";
import { openAuthentication } from "./modules/auth/authentication.ts";
import { deleteExpired } from "./modules/auth/jobs.ts";
import { openOutbox, startOutbox } from "./modules/auth/mails/outbox.ts";
import { startResets } from "./modules/auth/resets.ts";
import { assertInScope } from "./modules/auth/keys.ts";
import { registerAuthRoutes } from "./modules/auth/routes.ts";
import type { BillingApp } from "./modules/billing/app.ts";
import { keepBilling, startBillingJobs } from "./modules/billing/jobs.ts";
import { type Plans, toPlans } from "./modules/billing/plans.ts";
import { registerBillingRoutes } from "./modules/billing/routes.ts";
import { registerClientRoutes } from "./modules/client/routes.ts";
import type { Choices } from "./modules/consents/choices.ts";
import { openCollecting } from "./modules/consents/collecting.ts";
import { keepConsentTables, startConsents } from "./modules/consents/jobs.ts";
import { openImportFiles } from "./modules/consents/imports/files.ts";
import { startImportJobs } from "./modules/consents/imports/jobs.ts";
import { registerImportRoutes } from "./modules/consents/imports/routes.ts";
import { openStorage } from "./modules/consents/imports/storage.ts";
import { listToldConsents } from "./modules/consents/told.ts";
import { deleteExpiredExports } from "./modules/consents/exports/jobs.ts";
import { registerExportRoutes } from "./modules/consents/exports/routes.ts";
import { registerRegistryRoute } from "./modules/consents/registry-routes.ts";
import { registerConsentRoutes } from "./modules/consents/routes.ts";
import { registerStatsRoute } from "./modules/consents/stats/routes.ts";
import { openSteps } from "./modules/consents/stats/steps.ts";
import { openTally } from "./modules/consents/stats/tally.ts";
import { registerDossierRoutes } from "./modules/evidence/dossiers/routes.ts";
import { registerErasureRoutes } from "./modules/evidence/erasure-routes.ts";
import { openCommit } from "./modules/evidence/commitments.ts";
import { type Facts, openFacts } from "./modules/evidence/facts.ts";
import { openPdfMaker } from "./modules/evidence/forms/pdf/maker.ts";
import { type LogKeys, openLogKeys } from "./modules/evidence/keys.ts";
import { registerLogRoutes } from "./modules/evidence/log-routes.ts";
import { findCheckpoint, findLogOrigin } from "./modules/evidence/origin.ts";
import { registerProofRoutes } from "./modules/evidence/routes.ts";
import { findLogSize, listPlacedConsents } from "./modules/evidence/placed.ts";
import { runRetention } from "./modules/evidence/retention.ts";
import { openSequencer } from "./modules/evidence/sequencer.ts";
import { openTickets } from "./modules/evidence/tickets.ts";
import { registerVerifierRoute } from "./modules/evidence/verifier-routes.ts";
import { registerTimestampRoutes } from "./modules/evidence/timestamp-routes.ts";
import { openTimestamps } from "./modules/evidence/timestamps.ts";
import { announceWidget } from "./modules/evidence/widget-entries.ts";
import { openWitnesses, toWitnesses } from "./modules/evidence/witnesses.ts";
import { registerDemoRoutes } from "./modules/demo/routes.ts";
import type { PersonApp } from "./modules/person/app.ts";
import { registerPersonRoutes } from "./modules/person/routes.ts";
import { startPublishJobs } from "./modules/publish/jobs.ts";
import { registerPublishRoutes } from "./modules/publish/routes.ts";
import { getOwnOrganization } from "./modules/vault/access.ts";
import { findAssetUses } from "./modules/vault/asset-uses.ts";
import { compileChecks } from "./modules/vault/checks.ts";
import { getProject } from "./modules/vault/access.ts";
import { listHolders, listOwnerIds } from "./modules/vault/holders.ts";
import { type NewMember, addMember, getTitle, isVisible } from "./modules/vault/members.ts";
import { registerVaultRoutes } from "./modules/vault/routes.ts";
import { deleteOldDeliveries, startWebhooks } from "./modules/webhooks/jobs.ts";
import { registerWebhookRoutes } from "./modules/webhooks/routes.ts";
import { openSealing } from "./modules/webhooks/sealing.ts";
import type { Sources, WebhooksApp } from "./modules/webhooks/app.ts";
import type { Ctx } from "./platform/ctx.ts";
import { openCdn } from "./platform/cdn/open.ts";
import { assertAnswering, assertPostgresVersion, openDatabase } from "./platform/db/open.ts";
import type { Db } from "./platform/db/db.ts";
import { migrateDatabase } from "./platform/db/migrate.ts";
import { type DiskRoom, readSpareBytes, unwatchedRoom } from "./platform/disk-room.ts";
import { registerAuthentication } from "./platform/http/authentication.ts";
import { registerPublishedFiles } from "./platform/http/files.ts";
import { registerHealth, registerMetrics } from "./platform/http/health.ts";
import type { Http } from "./platform/http/http.ts";
import { registerOpenApi } from "./platform/http/openapi.ts";
import { registerRoom } from "./platform/http/room.ts";
import { registerRoot } from "./platform/http/root.ts";
import { type WidgetFiles, openWidget, toWidgetFacts } from "./modules/publish/widget-files.ts";
import { registerWidgetRoute } from "./modules/publish/widget-routes.ts";
import { createHttp } from "./platform/http/server.ts";
import { openStreams } from "./platform/http/streams.ts";
import { deleteKeysBefore } from "./platform/idempotency-store.ts";
import { type Jobs, openJobs } from "./platform/jobs.ts";
import { deleteMailFiles } from "./platform/mail/folder.ts";
import type { Mails } from "./platform/mail/mail.ts";
import { openMails } from "./platform/mail/open.ts";
import { openObjects } from "./platform/objects/open.ts";
import type { Objects } from "./platform/objects/objects.ts";
import { openLookup } from "./platform/outbound/lookup.ts";
import { openPoster } from "./platform/outbound/post.ts";
import { openPayments } from "./platform/payments/open.ts";
import { openPasswords } from "./platform/passwords.ts";
import { openProvider } from "./platform/providers/open.ts";
import { openSealer } from "./platform/sealing.ts";
import { openSecretKey } from "./platform/secret-key.ts";
import { paths } from "./paths.ts";
import { version } from "./version.ts";

const IDEMPOTENCY_HOURS = 24;
const MAIL_FILES_MS = 30 * 86_400_000;
/** Connections of sending webhooks, so that it takes none from who is waiting for an answer. */
const SENDING = { poolMax: 3, queueMax: 10_000 };
/** A job that takes ten minutes would be given to somebody else. */
const RETENTION_RUN_MS = 8 * 60_000;

export interface AppOptions {
  config: Config;
  secrets: Secrets;
  databaseUrl: string;
  log: FastifyBaseLogger;
  now?: () => Date;
  /** Of the disk that the database lies on, where that is this machine's. */
  room?: DiskRoom;
}

/** The whole service: routes to listen on, jobs at work. Disposing answers what is open, then ends all. */
export interface App extends AsyncDisposable {
  http: Http;
}

/**
 * The composition root: makes everything, hands it down, migrates the database. What is opened here
 * is closed in the reverse order.
 */
export async function openApp(options: AppOptions): Promise<App> {
  const { config, secrets, databaseUrl, log, now = () => new Date() } = options;
  const { room = unwatchedRoom } = options;
  await using opened = new AsyncDisposableStack();
  const db = openDatabase({ url: databaseUrl, ...config.database, log });
  opened.defer(() => db.destroy());
  await assertPostgresVersion(db);
  await migrateDatabase(db, log);
  // Before the jobs, which at the end finish what they are at.
  const objects = opened.use(await openObjects(config.objects, now));
  const cdn = opened.use(await openCdn({ config, headers: secrets.purgeHeaders, log, now }));
  const mails = opened.use(await openMails({ config, secrets, log }));
  const jobs = opened.use(
    await openJobs({ databaseUrl, log, stopTimeoutMs: config.shutdownTimeoutMs }),
  );
  const secret = await openSecretKey({ dataDir: config.dataDir, secretKey: secrets.secretKey });
  const plans = toPlans(config);
  const payments = opened.use(await openPayments({ db, now, config, secrets }));
  const shared = { db, now, config, plans, jobs, log, room, publicUrl: config.http.publicUrl };
  const checks = compileChecks();
  const widget = await openWidget(config, objects);
  const assets = await openAssets(opened, { ...shared, objects });
  const publishing = { ...assets, cdn, payments, widget };

  const authentication = opened.use(openAuthentication({ db, log }));
  const { live, choices, collector, displays } = openCollecting(opened, { ...shared, databaseUrl });
  await startConsents(shared);
  const http = createHttp(config, log);
  opened.defer(() => http.close());
  const { operatorToken } = secrets;
  registerAuthentication(http, { ...shared, ...authentication, assertInScope, operatorToken });
  registerRoom(http, room);
  registerMetrics(http, secrets.metricsToken, [...choices.readings, ...displays.readings]);
  await registerOpenApi(http, { publicUrl: shared.publicUrl, version });
  registerHealth(http, () => assertAnswering(db));
  registerRoot(http, { publicUrl: shared.publicUrl, version });
  registerPublishedFiles(http, { objects, prefix: paths.cdn, hidden: ASSET_FOLDER });
  registerWidgetRoute(http, widget);
  const { outbox } = await openAuth(http, { ...shared, mails, secrets, secret });
  await openBilling(http, { ...shared, payments });
  const streams = openStreams(http);
  const vault = { ...shared, checks, streams };
  registerVaultRoutes(http, vault);
  registerPublishRoutes(http, { ...publishing, checks });
  registerAssetRoutes(http, assets);
  const signing = await openSigning({ db, config, secrets, log });
  const tickets = openTickets(signing.keys);
  const collecting = { live, collector, tickets };
  const steps = openSteps(db);
  registerConsentRoutes(http, { ...shared, ...collecting, steps, displays });
  openStats(opened, http, shared);
  registerRegistryRoute(http, { ...shared, streams });
  const importing = { ...shared, ...(await openImports({ ...shared, ...signing })), choices };
  registerImportRoutes(http, importing);
  registerExportRoutes(http, { ...shared, findCheckpoint });
  registerClientRoutes(http, vault);
  await openEvidence(opened, http, { ...shared, ...signing, choices, widget, ...collecting });
  await registerPages(http, shared);
  openWebhooks(opened, http, { ...shared, databaseUrl, secret, outbox });

  await startAssetJobs(assets);
  await startPublishJobs(publishing);
  opened.use(await startImportJobs(importing));
  await jobs.scheduleJob("housekeeping", "7 * * * *", () => keepHouse(shared, assets));
  await http.ready();
  const closing = opened.move();
  return { http, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

/** What people open in a browser. */
async function registerPages(
  http: Http,
  app: Parameters<typeof registerDemoRoutes>[1] & { publicUrl: string },
): Promise<void> {
  await registerAdminRoutes(http, app);
  registerDemoRoutes(http, app);
}

/** What is done each hour. */
async function keepHouse(
  app: Pick<EvidenceOptions, "db" | "now" | "config"> & Parameters<typeof keepConsentTables>[0],
  assets: Parameters<typeof keepAssets>[0],
): Promise<void> {
  const { db, now, config } = app;
  await deleteExpired(db, now());
  await deleteExpiredExports(db, now());
  if (!config.mail.smtp)
    await deleteMailFiles(config.mail.folder, new Date(now().getTime() - MAIL_FILES_MS));
  await deleteKeysBefore(db, new Date(now().getTime() - IDEMPOTENCY_HOURS * 3_600_000));
  await keepConsentTables(app);
  await keepBilling(app);
  await keepAssets(assets);
  await deleteOldDeliveries(db, now());
}

/** Statistics: their route, and the work that counts answers in the order of the log. */
function openStats(
  opened: AsyncDisposableStack,
  http: Http,
  app: Pick<EvidenceOptions, "db" | "now" | "log"> & { publicUrl: string },
): void {
  registerStatsRoute(http, { ...app, findLogSize });
  opened.use(openTally({ ...app, findLogSize, listPlacedConsents }));
}

/** Webhooks: their routes, and the work behind them. What other modules know is handed down, since this one calls none. */
function openWebhooks(
  opened: AsyncDisposableStack,
  http: Http,
  shared: Omit<WebhooksApp, "sealing" | "sources" | "poster" | "sendingDb"> &
    Pick<AppOptions, "databaseUrl" | "log"> & { secret: Buffer },
): void {
  const { databaseUrl: url, secret, log, lookup = openLookup() } = shared;
  const { allowedNetworks: allowed } = shared.config.webhooks;
  const sources: Sources = {
    findLogSize,
    listPlacedConsents,
    listToldConsents,
    listOwnerIds,
    listReceivers: (db, ids) => listHolders(db, ids, "receiveEvents"),
    assertReceiver: async (db, scope, id) => void (await getProject(db, scope, id)),
  };
  const poster = opened.use(openPoster({ allowed, lookup }));
  const sendingDb = openDatabase({ url, ...SENDING, log, isLax: true });
  opened.defer(() => sendingDb.destroy());
  const webhooks = { ...shared, sealing: openSealing(secret), sources, poster, sendingDb, lookup };
  registerWebhookRoutes(http, webhooks);
  opened.use(startWebhooks(webhooks));
}

/** Identities: their routes, limits that hold on all nodes, and the outbox of mails, which wait sealed in a queue. */
async function openAuth(
  http: Http,
  shared: Pick<EvidenceOptions, "db" | "now" | "config" | "log" | "jobs"> & {
    mails: Mails;
    secrets: Secrets;
    secret: Buffer;
    publicUrl: string;
    plans: Plans;
  },
) {
  const { secret, secrets, now } = shared;
  const providers = (secrets.providers ?? []).map((settings) => openProvider({ settings, now }));
  const sealer = openSealer(secret, "mails");
  await startOutbox({ ...shared, sealer });
  const outbox = openOutbox({ ...shared, sealer });
  await startResets({ ...shared, sealer, outbox });
  registerAuthRoutes(http, {
    ...shared,
    sealer,
    outbox,
    passwords: await openPasswords(),
    attempts: openAttempts(shared),
    asks: openAsks(shared),
    signups: openSignups({ ...shared, perHourMax: shared.config.signupsPerHourMax }),
    invitedTo: {
      getTitle,
      addMember: (ctx: Ctx, member: NewMember) => addMember(ctx, shared.plans, member),
    },
    keyProjects: { isVisible },
    providers: new Map(providers.map((provider) => [provider.name, provider])),
  });
  return { outbox };
}

/** Plans and payments: their routes, and what follows the payment provider. */
async function openBilling(
  http: Http,
  app: Omit<BillingApp, "getOwnOrganization"> & Parameters<typeof startBillingJobs>[0],
): Promise<void> {
  registerBillingRoutes(http, { ...app, getOwnOrganization });
  await startBillingJobs(app);
}

/** What assets need: uploads lie on this machine's disk until they are in storage. */
async function openAssets<S extends Pick<EvidenceOptions, "db" | "config" | "now" | "log">>(
  opened: AsyncDisposableStack,
  shared: S & { objects: Objects },
) {
  const { dataDir, diskReserveBytes } = shared.config;
  const { userBytesMax } = shared.config.assets;
  const folder = join(dataDir, "uploads");
  const readSpare = () => readSpareBytes(folder, diskReserveBytes);
  const spool = await openSpool({ folder, readSpareBytes: readSpare });
  const pictures = opened.use(openPictures());
  const renders = openRenders({ ...shared, pictures, spool });
  return { ...shared, pictures, spool, renders, findUses: findAssetUses, userBytesMax };
}

/** What importing needs beside what all share: uploads are measured against the disk that they lie on. */
async function openImports({
  config,
  db,
  facts,
}: Pick<EvidenceOptions, "config" | "db" | "facts">) {
  const { dataDir, diskReserveBytes, imports } = config;
  const { waitingMax, storedBytesMax } = imports;
  // As much as one user may have at all.
  const bytesMax = Math.min(imports.bytesMax, Math.floor(storedBytesMax / 2));
  const folder = join(dataDir, "imports");
  const readSpare = () => readSpareBytes(folder, diskReserveBytes);
  const files = await openImportFiles(folder, { bytesMax, readSpareBytes: readSpare });
  const storage = openStorage(storedBytesMax);
  return { files, waitingMax, storage, commit: openCommit(db, facts) };
}

/** What the log is called, the keys that sign it, and what it tells records with. */
async function openSigning({
  db,
  config,
  secrets,
  log,
}: Pick<EvidenceOptions, "db" | "config" | "log"> & { secrets: Secrets }) {
  const { dataDir } = config;
  const { publicUrl } = config.http;
  const origin = await findLogOrigin(db, { ...config.evidence, publicUrl });
  const keys = await openLogKeys({ dataDir, origin, keys: secrets.logKeys, log });
  return { origin, keys, facts: openFacts() };
}

interface EvidenceOptions {
  db: Db;
  now: () => Date;
  log: FastifyBaseLogger;
  config: Config;
  origin: string;
  keys: LogKeys;
  facts: Facts;
  jobs: Jobs;
  choices: Choices;
  widget: WidgetFiles;
}

type Collecting = Pick<PersonApp, "live" | "collector" | "tickets">;

/** The transparency log: its routes, the work that puts what is collected into it, and what erases. */
async function openEvidence(
  opened: AsyncDisposableStack,
  http: Http,
  app: EvidenceOptions & Collecting,
): Promise<void> {
  const { db, config, facts } = app;
  const { publicUrl } = config.http;
  await announceWidget(db, toWidgetFacts(app.widget), app.now());
  opened.use(openSequencer(app));
  const pdfs = opened.use(openPdfMaker());
  registerProofRoutes(http, { db, facts, pdfs, publicUrl });
  registerPersonRoutes(http, { ...app, pdfs, publicUrl });
  registerDossierRoutes(http, app);
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
  registerLogRoutes(http, { db });
  registerVerifierRoute(http);
  const witnesses = toWitnesses(config.evidence.witnesses);
  opened.use(openWitnesses({ db, log: app.log, witnesses }));
  registerTimestampRoutes(http, { db, publicUrl });
  const { authority } = config.evidence;
  if (authority) opened.use(openTimestamps({ db, now: app.now, log: app.log, authority }));
}

import { archive } from "./archive.ts";
import { billing } from "./billing.ts";
import {
  authorityUrl,
  bytes,
  databaseUrl,
  flag,
  host,
  integer,
  list,
  networks,
  oneOf,
  origin,
  path,
  redirectTarget,
  trustProxy,
  visible,
  webUrl,
  workers,
} from "./kinds.ts";
import { evidence } from "./evidence.ts";
import { mail } from "./mail.ts";
import {
  type ConfigOf,
  type Intersection,
  type SecretsOf,
  type ValuesOf,
  setting,
} from "./schema.ts";
import { regions } from "./regions.ts";
import { signIn } from "./sign-in.ts";
import { storage } from "./storage.ts";
import { telemetry } from "./telemetry.ts";

/**
 * All settings of the service, by group. From these entries come validation, `--help`, docs/reference/settings.md, and the types
 * `Config` and `Secrets`. To add a setting:
 *
 * 1. Add an entry to its group, here or in the subject's file (storage, mail, sign-in, evidence, billing, telemetry):
 *
 *        DATABASE_POOL_MAX: setting(integer(1, 1_000), {  // the variable and its accepted values (kinds.ts)
 *          path: "database.poolMax",                      // the field of Config, or of Secrets if `secret: true`
 *          default: "10",                                 // as text; without one, the field may be undefined
 *          description: "Maximum number of database connections of each of the WORKERS.",
 *        }),
 *
 * 2. Use `config.database.poolMax`.
 * 3. Run `npm run settings`, which writes docs/reference/settings.md.
 *
 * schema.ts describes every property. A setting without a `path` decides a field together with others, in config.ts.
 */
export const groups = {
  Service: {
    PORT: setting(integer(0, 65_535), {
      path: "http.port",
      default: "8080",
      description: "Port to listen on; 0 selects a free port.",
    }),
    HOST: setting(host, {
      path: "http.host",
      default: "127.0.0.1",
      description: "Address to listen on; 0.0.0.0 for all interfaces.",
    }),
    PUBLIC_URL: setting(webUrl, {
      defaultShown: "http://HOST:PORT",
      description: "Public base URL of the service, with which all links begin.",
    }),
    TRUST_PROXY: setting(trustProxy, {
      path: "http.trustProxy",
      default: "off",
      description:
        "Reverse proxies whose X-Forwarded-For is trusted: their number, or their addresses (docs/guides/reverse-proxies.md). on is an older name of 1 and warns at the start.",
    }),
    CORS_ORIGINS: setting(list(origin), {
      path: "http.corsOrigins",
      default: "",
      description: "Origins from which browsers may call private routes.",
    }),
    REDIRECT_URLS: setting(list(redirectTarget), {
      defaultShown: "CORS_ORIGINS",
      description:
        "Destinations of sign-ins and mailed links outside the service; whole URLs are safer than origins.",
    }),
    SHUTDOWN_TIMEOUT_MS: setting(integer(0, 3_600_000, "milliseconds"), {
      path: "shutdownTimeoutMs",
      default: "10000",
      description: "Time limit for open requests when the service stops.",
    }),
    WORKERS: setting(workers, {
      path: "workers",
      default: "1",
      description:
        "Number of processes that answer requests on the port of this node; auto is one for each processor that the container or the machine offers (docs/guides/scale.md).",
    }),
    DEMO: setting(oneOf(["auto", "on", "off"]), {
      default: "auto",
      description:
        "Demo shop at /demo; auto turns it on if HOST and PUBLIC_URL are loopback addresses.",
    }),
  },
  "Data and database": {
    DATA_DIR: setting(path("a folder"), {
      path: "dataDir",
      default: "./data",
      description:
        "Folder of the embedded database, published files, assets, imports, mails without a mail server, secret.key and log.keys.",
    }),
    DISK_RESERVE_BYTES: setting(bytes(0, 1024 ** 4), {
      path: "diskReserveBytes",
      default: "268435456",
      description:
        "Free disk space of the embedded database below which writes are answered 503; imports leave twice as much with any database, and 0 turns both off.",
    }),
    DATABASE_URL: setting(databaseUrl, {
      path: "databaseUrl",
      defaultShown: "embedded PostgreSQL",
      description: "External PostgreSQL database, version 14 or newer.",
      secret: true,
    }),
    CONSENTS_DATABASE_URL: setting(databaseUrl, {
      path: "consentsDatabaseUrl",
      defaultShown: "the same database",
      description:
        "External PostgreSQL database of the data plane: consents, the transparency log and counts. Everything else is in the other database.",
      secret: true,
    }),
    DATABASE_POOLING: setting(oneOf(["session", "transaction"]), {
      path: "database.pooling",
      default: "session",
      description:
        "Mode of a pooler such as PgBouncer between the service and the database; transaction uses no session state, and jobs are polled every half second.",
    }),
    MIGRATE_AT_START: setting(flag("on", "off"), {
      path: "migratesAtStart",
      default: "on",
      description:
        "Migration of the database at the start; off starts only after `avow migrate` of the same version.",
    }),
    DATABASE_POOL_MAX: setting(integer(1, 1_000), {
      path: "database.poolMax",
      default: "10",
      description: "Maximum number of database connections.",
    }),
    DATABASE_QUEUE_MAX: setting(integer(0, 1_000_000), {
      path: "database.queueMax",
      default: "1000",
      description:
        "Maximum number of queries of each of the WORKERS that wait for a connection; further ones are answered 503.",
    }),
    COLLECT_CONNECTIONS: setting(integer(1, 64), {
      path: "collect.connections",
      default: "2",
      description:
        "Number of additional database connections of each of the WORKERS, over which collected consents are written in groups.",
    }),
    COLLECT_QUEUE_MAX: setting(integer(1, 1_000_000), {
      path: "collect.queueMax",
      default: "5000",
      description:
        "Maximum number of consents that wait to be written in each of the WORKERS; further ones are answered 503.",
    }),
    SECRET_KEY: setting(visible("a secret", 32), {
      path: "secretKey",
      defaultShown: "DATA_DIR/secret.key",
      description:
        "Secret from which encryption keys are derived; the same for all nodes on one database.",
      secret: true,
    }),
    RETENTION_MONTHS: setting(integer(1, 1_200, "months"), {
      path: "retentionMonths",
      default: "60",
      description:
        "Retention period of proofs after an answer is no longer in force, unless the project sets its own; then they are erased.",
    }),
    STATISTICS_PAGES: setting(flag("on", "off"), {
      path: "statisticsPages",
      default: "on",
      description:
        "Whether answers are counted by page, without queries and identifying parts of the path. After a change, `avow rebuild --statistics` removes or adds the pages of earlier answers.",
    }),
  },
  "Archived months": archive,
  "Logs and metrics": {
    LOG_LEVEL: setting(oneOf(["trace", "debug", "info", "warn", "error", "fatal", "silent"]), {
      path: "log.level",
      default: "info",
      description:
        "Lowest level that is logged; collected consents and reads of published files are logged at debug.",
    }),
    LOG_FORMAT: setting(oneOf(["auto", "pretty", "json"]), {
      path: "log.format",
      default: "auto",
      description: "Format of the log; auto is pretty on a terminal and JSON lines elsewhere.",
    }),
    METRICS_TOKEN: setting(visible("a token", 8), {
      path: "metricsToken",
      description: "Bearer token that /metrics requires; without it, /metrics is public.",
      secret: true,
    }),
  },
  Regions: regions,
  OpenTelemetry: telemetry,
  "Published files": storage,
  Publishing: {
    FREE_TIER_FILE_BYTES_MAX: setting(bytes(1, 1024 ** 3), {
      path: "freeTier.fileBytesMax",
      default: "65536",
      description: "Maximum size of a free project's published file before compression.",
    }),
    TCF_VENDOR_LIST: setting(path("a file"), {
      path: "tcfVendorList",
      description:
        "IAB Europe's vendor-list.json, required to publish the layout iab; translations such as purposes-fr.json lie beside it.",
    }),
    TCF_VENDOR_LIST_URL: setting(authorityUrl, {
      path: "tcfVendorListUrl",
      description:
        "Address of IAB Europe's vendor list, such as https://vendor-list.consensu.org/v3/vendor-list.json, fetched weekly with its translations; TCF_VENDOR_LIST is used until the first one is stored. Default: nothing is fetched.",
    }),
  },
  Mail: mail,
  "Accounts and sign-in": signIn,
  "Transparency log": evidence,
  "Imports, assets and personal pages": {
    IMPORT_BYTES_MAX: setting(bytes(1, 1024 ** 4), {
      path: "imports.bytesMax",
      default: "10737418240",
      description: "Maximum size of a file of consents to import.",
    }),
    IMPORTS_WAITING_MAX: setting(integer(1, 10_000), {
      path: "imports.waitingMax",
      default: "10",
      description: "Maximum number of a project's waiting and running imports.",
    }),
    IMPORTS_STORED_BYTES_MAX: setting(bytes(2, 1024 ** 4), {
      path: "imports.storedBytesMax",
      default: "21474836480",
      description:
        "Maximum size of all waiting files and lists of rejected lines together; those of one user may take half of it.",
    }),
    ASSETS_USER_BYTES_MAX: setting(bytes(0, 1024 ** 4), {
      path: "assets.userBytesMax",
      default: "1073741824",
      description: "Maximum size of all assets that one user uploaded.",
    }),
    VISITOR_LINKS_PER_MINUTE_MAX: setting(integer(0, 1_000_000_000), {
      path: "visitorLinksPerMinuteMax",
      default: "60",
      description:
        "Maximum number of links to personal pages that visitors from one network (an IPv4 /24 or an IPv6 /48) can create a minute on each node; reads of answers are limited to ten times as many, and 0 requires an access token.",
    }),
    VISITOR_MISSES_PER_MINUTE_MAX: setting(integer(1, 1_000_000_000), {
      path: "visitorMissesPerMinuteMax",
      default: "60",
      description:
        "Maximum number of unknown tokens of visitors that one network (an IPv4 /24 or an IPv6 /48) can look up a minute on each node; then its look-ups are answered 429 for the rest of the minute.",
    }),
  },
  "Plans and payments": billing,
  Scans: {
    CHROMIUM_PATH: setting(path("a program"), {
      path: "scans.chromiumPath",
      description:
        "Chromium for scans of websites. Default: an installed one; without any, scans are off.",
    }),
    CHROMIUM_SANDBOX: setting(flag("on", "off"), {
      path: "scans.hasSandbox",
      default: "on",
      description:
        "Chromium's sandbox, which protects this machine from scanned websites. Root and some containers cannot use it and need `off`.",
    }),
    SCAN_MEMORY_BYTES_MAX: setting(bytes(268_435_456, 16 * 1024 ** 3), {
      path: "scans.memoryBytesMax",
      default: "1610612736",
      description:
        "Maximum memory of Chromium during a scan, on Linux. One scan runs at a time on each node.",
    }),
  },
  Webhooks: {
    WEBHOOKS_ALLOWED_NETWORKS: setting(networks, {
      path: "webhooks.allowedNetworks",
      default: "",
      description:
        "Networks besides the public internet that webhooks may call, over plain HTTP as well. Scans, checks of domains and the reading of other products' files may contact them, too.",
    }),
    WEBHOOKS_BYTES_MAX: setting(bytes(1_048_576, 1024 ** 3), {
      path: "webhooks.bytesMax",
      default: "100663296",
      description: "Maximum memory of request and answer bodies of webhooks on each node.",
    }),
  },
};

type Settings = Intersection<(typeof groups)[keyof typeof groups]>;

export type Values = ValuesOf<Settings>;
export type PlainConfig = ConfigOf<Settings>;
export type PlainSecrets = SecretsOf<Settings>;

/** All settings by environment name. */
export const settings: Settings = Object.assign({}, ...Object.values(groups)) as Settings;

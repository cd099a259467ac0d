import {
  type Kind,
  type Setting,
  authorityAddress,
  databaseAddress,
  host,
  integer,
  list,
  networks,
  oneOf,
  origin,
  redirectPlace,
  text,
  trustProxy,
  webAddress,
  witnesses,
} from "./setting-kinds.ts";
import { billingSettings } from "./settings-billing.ts";
import { mailSettings } from "./settings-mail.ts";
import { passwordSettings } from "./settings-passwords.ts";
import { providers } from "./setting-kinds-providers.ts";
import { storageSettings } from "./settings-storage.ts";

const levels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
const BYTES_MAX = 1024 ** 3;
const IMPORT_BYTES_MAX = 1024 ** 4;
const RESERVE_BYTES_MAX = 1024 ** 4;
const HOUR_MS = 3_600_000;
const MONTH_MINUTES = 31 * 24 * 60;

/** Every setting of the service: parsing, errors, `--help` and the README's table are made from it. */
export const settings = {
  PORT: {
    kind: integer(0, 65_535),
    default: "8080",
    help: "Port to listen on; 0 takes a free one.",
  },
  HOST: {
    kind: host,
    default: "127.0.0.1",
    help: "Address to listen on; 0.0.0.0 for every interface.",
  },
  PUBLIC_URL: {
    kind: webAddress,
    defaultShown: "http://HOST:PORT",
    help: "Address that links carry: where browsers and clients reach the service.",
  },
  DATABASE_URL: {
    kind: databaseAddress,
    defaultShown: "embedded PostgreSQL",
    help: "An external PostgreSQL, 14 or newer, as postgresql://user:password@host/database.",
    secret: true,
  },
  DATABASE_POOL_MAX: {
    kind: integer(1, 1_000),
    default: "10",
    help: "Connections to the database at most.",
  },
  DATABASE_QUEUE_MAX: {
    kind: integer(0, 1_000_000),
    default: "1000",
    help: "Queries that may wait for a connection; more are answered 503.",
  },
  COLLECT_CONNECTIONS: {
    kind: integer(1, 64),
    default: "2",
    help: "Connections beside these that collected consents are written over, many at a time.",
  },
  COLLECT_QUEUE_MAX: {
    kind: integer(1, 1_000_000),
    default: "5000",
    help: "Consents that may wait to be written; more are answered 503.",
  },
  DATA_DIR: {
    kind: text("a folder", 4_096),
    default: "./data",
    help: "Folder of the embedded database, of the published files, of files to import, of mails where there is no mail server, of secret.key and log.keys.",
  },
  DISK_RESERVE_BYTES: {
    kind: integer(0, RESERVE_BYTES_MAX),
    default: "268435456",
    help: "With the embedded database: free room below which writes are answered 503; imports leave twice as much, with any; 0 never does.",
  },
  SECRET_KEY: {
    kind: text("a secret of 32 to 1024 visible characters", 1_024, /^[!-~]{32,}$/),
    defaultShown: "DATA_DIR/secret.key",
    help: "Secret that stored keys of addresses are made with; the same for all nodes on one database.",
    secret: true,
  },
  EVIDENCE_LOG_ORIGIN: {
    kind: text("a name without spaces and plus signs", 255, /^[^\s+]+$/u),
    defaultShown: "PUBLIC_URL's host/log",
    help: "Name of the transparency log in its checkpoints; never changes once something is in it.",
  },
  EVIDENCE_LOG_KEYS: {
    kind: text("seeds of 32 bytes in base64", 1_024, /^[A-Za-z0-9+/=\s,]+$/),
    defaultShown: "DATA_DIR/log.keys",
    help: "Ed25519 seeds in base64 that checkpoints are signed with, the newest first; the same for all nodes.",
    secret: true,
  },
  EVIDENCE_WITNESSES: {
    kind: witnesses,
    default: "",
    help: "Witnesses that cosign the log's trees (C2SP tlog-witness): the address and the verifier key of each, separated by commas.",
  },
  EVIDENCE_TSA_URL: {
    kind: authorityAddress,
    defaultShown: "none",
    help: "Time-stamping authority (RFC 3161) that the log's checkpoints are shown to.",
  },
  EVIDENCE_TSA_EVERY_MINUTES: {
    kind: integer(1, MONTH_MINUTES),
    default: "60",
    help: "Minutes between two time-stamps at least; a log that did not grow gets none.",
  },
  LOG_LEVEL: {
    kind: oneOf(levels),
    default: "info",
    help: `One of ${levels.join(", ")}; a collected consent is told at debug.`,
  },
  LOG_FORMAT: {
    kind: oneOf(["auto", "pretty", "json"]),
    default: "auto",
    help: "auto, pretty or json; auto is pretty on a terminal and JSON lines elsewhere.",
  },
  CORS_ORIGINS: {
    kind: list(origin),
    default: "",
    help: "Origins that browsers may call private routes from, separated by commas.",
  },
  REDIRECT_URLS: {
    kind: list(redirectPlace),
    defaultShown: "CORS_ORIGINS",
    help: "Where sign-ins and mailed links may lead people beside the service: whole addresses (better), or origins, separated by commas.",
  },
  CDN_URL: {
    kind: webAddress,
    defaultShown: "PUBLIC_URL/cdn",
    help: "Address that published files are read from.",
  },
  ...storageSettings,
  ...mailSettings,
  SIGN_IN_PROVIDERS: {
    kind: providers,
    default: "{}",
    defaultShown: "none",
    help: "Whom people sign in with beside passwords, as JSON by their names: google, microsoft, github, facebook, apple, or any name with an issuer (docs/operate.md).",
    secret: true,
  },
  TRUST_PROXY: {
    kind: trustProxy,
    default: "off",
    help: "Whose X-Forwarded headers count: off, on, or proxies' addresses and CIDR ranges, separated by commas.",
  },
  SIGNUPS_PER_HOUR_MAX: {
    kind: integer(1, 1_000_000_000),
    default: "2000",
    help: "Sign-ups that one network (an IPv4 address, an IPv6 /64) may ask for in an hour; more are answered 429.",
  },
  ...passwordSettings,
  VISITOR_LINKS_PER_MINUTE_MAX: {
    kind: integer(0, 1_000_000_000),
    default: "60",
    help: "Links to persons' own pages that visitors of one network (an IPv4 /24, an IPv6 /48) may make in a minute on each node; what they answered they may ask ten times as often. 0: access tokens alone.",
  },
  SESSION_IDLE_HOURS: {
    kind: integer(1, 360),
    defaultShown: "none",
    help: "Hours after which a session ends that is not used; it ends after 15 days in any case. API keys do not.",
  },
  METRICS_TOKEN: {
    kind: text("a token of 8 to 1024 visible characters", 1_024, /^[!-~]{8,}$/),
    defaultShown: "none",
    help: "Bearer token that /metrics then asks for.",
    secret: true,
  },
  FREE_TIER_FILE_BYTES_MAX: {
    kind: integer(1, BYTES_MAX),
    default: "65536",
    help: "Size of a free project's published file at most, in bytes before compression.",
  },
  ...billingSettings,
  IMPORT_BYTES_MAX: {
    kind: integer(1, IMPORT_BYTES_MAX),
    default: "10737418240",
    help: "Size of a file of consents to import at most, in bytes.",
  },
  IMPORTS_WAITING_MAX: {
    kind: integer(1, 10_000),
    default: "10",
    help: "Imports of one project that may wait or run at a time.",
  },
  IMPORTS_STORED_BYTES_MAX: {
    kind: integer(2, IMPORT_BYTES_MAX),
    default: "21474836480",
    help: "Bytes that files which wait and lists of refused lines take at most, a half of it those of one user.",
  },
  ASSETS_USER_BYTES_MAX: {
    kind: integer(0, IMPORT_BYTES_MAX),
    default: "1073741824",
    help: "Bytes that the uploaded files (assets) of one user take at most.",
  },
  RETENTION_MONTHS: {
    kind: integer(1, 1_200),
    default: "60",
    help: "Months for which proofs are kept after an answer ended to be in force, where a project does not say; then they are erased.",
  },
  WEBHOOKS_ALLOWED_NETWORKS: {
    kind: networks,
    default: "",
    help: "Networks that webhooks may lead to beside the public internet, over http too, separated by commas, such as 10.0.0.0/8.",
  },
  WEBHOOKS_BYTES_MAX: {
    kind: integer(1_048_576, BYTES_MAX),
    default: "100663296",
    help: "Bytes that webhooks hold in memory at a time, of what is being sent and of answers.",
  },
  TCF_VENDOR_LIST: {
    kind: text("a file", 4_096),
    defaultShown: "none",
    help: "IAB Europe's vendor-list.json, which the layout iab is published with; translations (purposes-fr.json) lie beside it.",
  },
  SHUTDOWN_TIMEOUT_MS: {
    kind: integer(0, HOUR_MS),
    default: "10000",
    help: "How long open requests may take to end when the service stops, in milliseconds.",
  },
  DEMO: {
    kind: oneOf(["auto", "on", "off"]),
    default: "auto",
    help: "Whether /demo is served: on, off, or auto, which is on where HOST is a loopback address.",
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

type ValueOf<S extends { kind: Kind<unknown> }> = NonNullable<ReturnType<S["kind"]["read"]>>;

/** What the settings hold; undefined is possible only for those without a fixed default. */
export type Values = {
  readonly [K in SettingName]:
    | ValueOf<(typeof settings)[K]>
    | ((typeof settings)[K] extends { default: string } ? never : undefined);
};

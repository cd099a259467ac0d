import { isIPv6 } from "node:net";
import { resolve } from "node:path";
import type { CdnConfig } from "../platform/cdn/open.ts";
import type { ObjectsConfig } from "../platform/objects/open.ts";
import type { StripeSecrets } from "../platform/payments/open.ts";
import type { Network } from "../platform/outbound/networks.ts";
import { StartError } from "../platform/start-error.ts";
import {
  type BillingConfig,
  findBillingFaults,
  toBillingConfig,
  toStripeSecrets,
} from "./config-billing.ts";
import { findStorageFaults, toCdnConfig, toObjectsConfig } from "./config-storage.ts";
import { type MailConfig, findMailFaults, toMailConfig } from "./config-mail.ts";
import { type PasswordsConfig, toPasswordsConfig } from "./config-passwords.ts";
import type { ProviderSettings } from "../platform/providers/presets.ts";
import type { SmtpLogin } from "../platform/mail/smtp.ts";
import { type SettingName, type Values, settings } from "./settings.ts";

export interface Config {
  readonly http: {
    readonly host: string;
    /** 0 asks for a free port. */
    readonly port: number;
    /** What links begin with; never ends with a slash. */
    readonly publicUrl: string;
    readonly corsOrigins: readonly string[];
    /** Origins and whole addresses that links and sign-ins may lead people to. */
    readonly redirectUrls: readonly string[];
    readonly trustProxy: boolean | string[];
  };
  readonly database: { readonly poolMax: number; readonly queueMax: number };
  readonly collect: { readonly connections: number; readonly queueMax: number };
  /** Absolute. */
  readonly dataDir: string;
  /** Of the embedded database's disk; 0 where it is not watched. */
  readonly diskReserveBytes: number;
  readonly log: { readonly level: Values["LOG_LEVEL"]; readonly format: Values["LOG_FORMAT"] };
  readonly objects: ObjectsConfig;
  /** What the addresses of published files begin with; never ends with a slash. */
  readonly cdnUrl: string;
  readonly cdn: CdnConfig;
  readonly mail: MailConfig;
  readonly passwords: PasswordsConfig;
  /** Of one network. */
  readonly signupsPerHourMax: number;
  /** Of one network, on each node. */
  readonly visitorLinksPerMinuteMax: number;
  /** After which a session ends that is not used; undefined: none does. */
  readonly sessionIdleMs: number | undefined;
  readonly freeTier: { readonly fileBytesMax: number };
  readonly billing: BillingConfig;
  readonly imports: {
    readonly bytesMax: number;
    readonly waitingMax: number;
    /** Of all; one user's may take a half. */
    readonly storedBytesMax: number;
  };
  /** Bytes that one user's uploaded files may take. */
  readonly assets: { readonly userBytesMax: number };
  readonly evidence: {
    /** Undefined: by `publicUrl`, and what the log is called already where there is one. */
    readonly logOrigin: string | undefined;
    /** Each an address and a verifier key. */
    readonly witnesses: readonly { url: string; key: string }[];
    /** Who time-stamps the log's checkpoints; undefined: nobody does. */
    readonly authority: { readonly url: string; readonly everyMinutes: number } | undefined;
  };
  /** For how many months proofs are kept where a project does not say. */
  readonly webhooks: {
    readonly allowedNetworks: readonly Network[];
    /** Of bodies and answers that a node holds at a time. */
    readonly bytesMax: number;
  };
  readonly retentionMonths: number;
  /** Absolute; read when a project with the layout `iab` is published. */
  readonly tcfVendorList: string | undefined;
  readonly shutdownTimeoutMs: number;
  /** Whether `/demo` is served. */
  readonly demo: boolean;
}

/** What must never be logged or shown. */
export interface Secrets {
  readonly databaseUrl?: string;
  readonly metricsToken?: string;
  /** Where it is not set, `dataDir/secret.key` holds one. */
  readonly secretKey?: string;
  /** Where they are not set, `dataDir/log.keys` holds them. */
  readonly logKeys?: string;
  /** What caches are asked to purge with. */
  readonly purgeHeaders?: Readonly<Record<string, string>>;
  /** What the operator sets plans with; where it is not set, no request does. */
  readonly operatorToken?: string;
  readonly stripe?: StripeSecrets;
  /** Who signs in at the mail server. */
  readonly smtpLogin?: SmtpLogin;
  /** Whom people sign in with, and what the service signs in there with. */
  readonly providers?: readonly ProviderSettings[];
}

const HOUR_MS = 3_600_000;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that are not valid; the message names every one and what it expected. */
export class ConfigError extends StartError {
  override name = "ConfigError";
}

/**
 * The service's configuration from environment variables; an empty variable counts as unset.
 * Throws ConfigError with every fault at once.
 */
export function loadConfig(env: Environment = process.env): { config: Config; secrets: Secrets } {
  const values = readValues(env);
  const { HOST, PORT, DATABASE_URL, METRICS_TOKEN, SECRET_KEY } = values;
  const { EVIDENCE_LOG_KEYS, EVIDENCE_TSA_URL } = values;
  const publicUrl = values.PUBLIC_URL ?? toAddress(HOST, PORT);
  const config: Config = {
    http: {
      host: HOST,
      port: PORT,
      publicUrl,
      corsOrigins: values.CORS_ORIGINS,
      redirectUrls: values.REDIRECT_URLS ?? values.CORS_ORIGINS,
      trustProxy: values.TRUST_PROXY,
    },
    database: { poolMax: values.DATABASE_POOL_MAX, queueMax: values.DATABASE_QUEUE_MAX },
    collect: { connections: values.COLLECT_CONNECTIONS, queueMax: values.COLLECT_QUEUE_MAX },
    dataDir: resolve(values.DATA_DIR),
    diskReserveBytes: values.DISK_RESERVE_BYTES,
    log: { level: values.LOG_LEVEL, format: values.LOG_FORMAT },
    objects: toObjectsConfig(values),
    cdnUrl: values.CDN_URL ?? `${publicUrl}/cdn`,
    cdn: toCdnConfig(values),
    mail: toMailConfig(values),
    passwords: toPasswordsConfig(values),
    signupsPerHourMax: values.SIGNUPS_PER_HOUR_MAX,
    visitorLinksPerMinuteMax: values.VISITOR_LINKS_PER_MINUTE_MAX,
    sessionIdleMs:
      values.SESSION_IDLE_HOURS === undefined ? undefined : values.SESSION_IDLE_HOURS * HOUR_MS,
    freeTier: { fileBytesMax: values.FREE_TIER_FILE_BYTES_MAX },
    billing: toBillingConfig(values),
    imports: {
      bytesMax: values.IMPORT_BYTES_MAX,
      waitingMax: values.IMPORTS_WAITING_MAX,
      storedBytesMax: values.IMPORTS_STORED_BYTES_MAX,
    },
    assets: { userBytesMax: values.ASSETS_USER_BYTES_MAX },
    evidence: {
      logOrigin: values.EVIDENCE_LOG_ORIGIN,
      witnesses: values.EVIDENCE_WITNESSES,
      authority:
        EVIDENCE_TSA_URL === undefined
          ? undefined
          : { url: EVIDENCE_TSA_URL, everyMinutes: values.EVIDENCE_TSA_EVERY_MINUTES },
    },
    webhooks: {
      allowedNetworks: values.WEBHOOKS_ALLOWED_NETWORKS,
      bytesMax: values.WEBHOOKS_BYTES_MAX,
    },
    retentionMonths: values.RETENTION_MONTHS,
    tcfVendorList:
      values.TCF_VENDOR_LIST === undefined ? undefined : resolve(values.TCF_VENDOR_LIST),
    shutdownTimeoutMs: values.SHUTDOWN_TIMEOUT_MS,
    demo: values.DEMO === "on" || (values.DEMO === "auto" && isLoopback(HOST)),
  };
  const secrets: Secrets = {
    ...(DATABASE_URL === undefined ? {} : { databaseUrl: DATABASE_URL }),
    ...(METRICS_TOKEN === undefined ? {} : { metricsToken: METRICS_TOKEN }),
    ...(SECRET_KEY === undefined ? {} : { secretKey: SECRET_KEY }),
    ...(EVIDENCE_LOG_KEYS === undefined ? {} : { logKeys: EVIDENCE_LOG_KEYS }),
    ...(config.cdn.kind === "purge" ? { purgeHeaders: values.PURGE_HEADERS } : {}),
    ...toStripeSecrets(values),
    ...(values.OPERATOR_TOKEN === undefined ? {} : { operatorToken: values.OPERATOR_TOKEN }),
    ...(values.SMTP_URL?.login ? { smtpLogin: values.SMTP_URL.login } : {}),
    ...(values.SIGN_IN_PROVIDERS.length > 0 ? { providers: values.SIGN_IN_PROVIDERS } : {}),
  };
  return { config, secrets };
}

/** The environment with `port` for PORT: what an address is made of once a free port is known. */
export function withPort(port: number, env: Environment = process.env): Environment {
  return { ...env, PORT: String(port) };
}

function readValues(env: Environment): Values {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const name of Object.keys(settings) as SettingName[]) {
    const setting = settings[name];
    const given = env[name]?.trim();
    const text = given || ("default" in setting ? setting.default : undefined);
    if (text === undefined) continue;
    values[name] = setting.kind.read(text);
    if (values[name] !== undefined) continue;
    const got = "secret" in setting ? "" : `, got ${JSON.stringify(text.slice(0, 100))}`;
    faults.push(`  ${name}: expected ${setting.kind.expected}${got}`);
  }
  assertNoFaults(faults);
  const read = values as unknown as Values;
  const together = [
    ...findStorageFaults(read),
    ...findBillingFaults(read),
    ...findMailFaults(read),
  ];
  assertNoFaults(together.map((fault) => `  ${fault}`));
  return read;
}

function assertNoFaults(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const count = faults.length === 1 ? "A setting is" : `${faults.length} settings are`;
  throw new ConfigError(`${count} not valid:\n${faults.join("\n")}`);
}

/** A wildcard address cannot be called, so links then name the loopback address. */
function toAddress(host: string, port: number): string {
  const callable = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  return `http://${isIPv6(callable) ? `[${callable}]` : callable}:${port}`;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

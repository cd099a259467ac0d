import { readFileSync } from "node:fs";
import { isIPv6 } from "node:net";
import { isLoopback } from "../platform/networks.ts";
import { codeOf } from "../platform/errors.ts";
import { StartError } from "../platform/start-error.ts";
import { findArchiveErrors, toArchiveObjects } from "./archive.ts";
import { findBillingErrors, toStripeSecrets, toStripeSettings } from "./billing.ts";
import { toAuthority } from "./evidence.ts";
import { toMailConfig } from "./mail.ts";
import { findRegionErrors } from "./regions.ts";
import type { Setting } from "./schema.ts";
import { type PlainConfig, type PlainSecrets, type Values, settings } from "./settings.ts";
import { toTelemetryConfig } from "./telemetry.ts";
import { findStorageErrors, toCdnConfig, toObjectsConfig, toS3Config } from "./storage.ts";

type Sections<T> = { readonly [K in keyof T]: Readonly<T[K]> };

export type Config = Sections<ReturnType<typeof toConfig>>;

/** Values that must never be logged or shown; those that are not set are missing. */
export type Secrets = ReturnType<typeof toSecrets>;

const entries = Object.entries<Setting>(settings);

export type Environment = Readonly<Record<string, string | undefined>>;

/** Invalid settings; the message names each of them and what was expected. */
export class ConfigError extends StartError {
  override name = "ConfigError";
}

/**
 * Reads the service's configuration from environment variables; an empty variable counts as unset.
 * Throws ConfigError with all errors at once.
 */
export function loadConfig(env: Environment = process.env): { config: Config; secrets: Secrets } {
  const values = readValues(env);
  return { config: toConfig(values), secrets: toSecrets(values) };
}

/** Replaces PORT=0 by the selected port, since default URLs contain the port. */
export function withPort(port: number, env: Environment = process.env): Environment {
  return { ...env, PORT: String(port) };
}

interface ReadText {
  text?: string | undefined;
  error?: string;
}

function readValues(env: Environment): Values {
  const values: Record<string, unknown> = {};
  const errors: string[] = [];
  for (const [name, { kind, secret, default: standard }] of entries) {
    const { text: given = standard, error } = readGiven(env, name, secret);
    if (error !== undefined) errors.push(error);
    if (error !== undefined || given === undefined) continue;
    values[name] = kind.parse(given);
    if (values[name] !== undefined) continue;
    const got = secret ? "" : `, got ${JSON.stringify(given.slice(0, 100))}`;
    errors.push(`${name}: expected ${kind.expected}${got}`);
  }
  assertNone(errors);
  const read = values as Values;
  assertNone([
    ...entries.flatMap((entry) => findMissing(entry, values)),
    ...findStorageErrors(read),
    ...findArchiveErrors(read),
    ...findBillingErrors(read),
    ...findRegionErrors(read),
  ]);
  return read;
}

/** The text of a setting, if it is set. A secret may be given in a file, as container platforms and systemd do. */
function readGiven(env: Environment, name: string, secret = false): ReadText {
  const text = env[name]?.trim() || undefined;
  const file = secret ? env[`${name}_FILE`]?.trim() : undefined;
  if (!file) return { text };
  if (text !== undefined) return { error: `${name}: expected either it or ${name}_FILE, got both` };
  try {
    const content = readFileSync(file, "utf8").trim();
    // An empty secret must not count as unset: the service would start with another database or new keys.
    if (content !== "") return { text: content };
    return { error: `${name}_FILE: expected a secret in ${file}, which is empty` };
  } catch (error) {
    return { error: `${name}_FILE: expected a readable file, got ${file} (${codeOf(error)})` };
  }
}

function findMissing(
  [name, { kind, requiredWith = [] }]: [string, Setting],
  values: Readonly<Record<string, unknown>>,
): string[] {
  const isSet = values[name] !== undefined;
  for (const requirement of requiredWith) {
    const [other = "", choice] = requirement.split("=");
    const isChosen = choice === undefined ? values[other] !== undefined : values[other] === choice;
    if (isChosen && !isSet)
      return [`${name}: expected ${kind.expected}, which ${requirement} needs`];
    if (isSet && !isChosen && choice !== undefined)
      return [`${other}: expected ${choice}, since ${name} is set`];
  }
  return [];
}

function assertNone(errors: readonly string[]): void {
  if (errors.length === 0) return;
  const count = errors.length === 1 ? "A setting is" : `${errors.length} settings are`;
  throw new ConfigError(`${count} not valid:\n${errors.map((line) => `  ${line}`).join("\n")}`);
}

/** Fields that one setting decides are in `plain`; the others follow from several settings. */
function toConfig(values: Values) {
  const plain = toFields(values, { secret: false }) as PlainConfig;
  const { HOST, PORT, DEMO, DATA_DIR } = values;
  const publicUrl = values.PUBLIC_URL ?? toAddress(HOST, PORT);
  return {
    ...plain,
    http: {
      ...plain.http,
      /** Without a slash at its end. */
      publicUrl,
      redirectUrls: values.REDIRECT_URLS ?? values.CORS_ORIGINS,
    },
    /** Without a slash at its end. */
    cdnUrl: values.CDN_URL ?? `${publicUrl}/cdn`,
    cdn: toCdnConfig(values),
    objects: toObjectsConfig(values, DATA_DIR),
    archive: { ...plain.archive, objects: toArchiveObjects(values, DATA_DIR) },
    s3: toS3Config(values),
    mail: toMailConfig(values, DATA_DIR),
    billing: { ...plain.billing, stripe: toStripeSettings(values) },
    evidence: { ...plain.evidence, authority: toAuthority(values) },
    telemetry: toTelemetryConfig(values),
    demo:
      DEMO === "on" ||
      (DEMO === "auto" && isLoopback(HOST) && isLoopback(new URL(publicUrl).hostname)),
  };
}

function toSecrets(values: Values) {
  const stripe = toStripeSecrets(values);
  const smtpLogin = values.SMTP_URL?.login;
  return {
    ...(toFields(values, { secret: true }) as PlainSecrets),
    ...(stripe && { stripe }),
    ...(smtpLogin && { smtpLogin }),
  };
}

/** The values at their settings' paths. Secrets that are not set are left out. */
function toFields(values: Values, { secret: isSecret }: { secret: boolean }): object {
  const fields: Record<string, Record<string, unknown>> = { "": {} };
  for (const [name, { path, secret = false }] of entries) {
    const value = values[name as keyof Values];
    if (path === undefined || secret !== isSecret || (isSecret && value === undefined)) continue;
    const [field = "", section = ""] = path.split(".").toReversed();
    (fields[section] ??= {})[field] = value;
  }
  const { "": top, ...sections } = fields;
  return { ...top, ...sections };
}

/** A wildcard address cannot be called, so links name the loopback address instead. */
function toAddress(host: string, port: number): string {
  const callable = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  return `http://${isIPv6(callable) ? `[${callable}]` : callable}:${port}`;
}

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { ConfigError, loadConfig } from "./config.ts";
import { toHelp, toSettingsPage } from "./help.ts";
import type { Setting } from "./schema.ts";
import { groups, settings } from "./settings.ts";

function errorOf(env: Record<string, string>): string {
  try {
    loadConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message;
  }
  throw new Error(`${JSON.stringify(env)} was accepted`);
}

test("uses every default without variables", () => {
  const { config, secrets } = loadConfig({});
  assert.deepEqual(secrets, {});
  assert.equal(config.http.publicUrl, "http://127.0.0.1:8080");
  assert.equal(config.cdnUrl, "http://127.0.0.1:8080/cdn");
  assert.deepEqual(config.database, { poolMax: 10, queueMax: 1_000, pooling: "session" });
  assert.equal(config.dataDir, join(process.cwd(), "data"));
  assert.equal(config.freeTier.fileBytesMax, 65_536);
  assert.equal(config.demo, true);
});

test("requires confirmed addresses for roles only with a mail server", () => {
  const by = (env: Record<string, string>) => loadConfig(env).config.mail.rightsByEmail;
  const server = { SMTP_URL: "smtps://mail.example", MAIL_FROM: "avow@example.com" };
  assert.deepEqual([by({}), by(server)], ["any", "confirmed"]);
  assert.equal(by({ ...server, RIGHTS_BY_EMAIL: "any" }), "any");
  assert.equal(by({ RIGHTS_BY_EMAIL: "confirmed" }), "confirmed");
});

test("turns traces and metrics on by an endpoint or an exporter, under the standard names", () => {
  const urlsOf = (env: Record<string, string>) => {
    const { traces, metrics } = loadConfig(env).config.telemetry;
    return [traces?.url, metrics?.url];
  };
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" };
  const both = ["http://collector:4318/v1/traces", "http://collector:4318/v1/metrics"];
  assert.deepEqual(urlsOf({}), [undefined, undefined]);
  assert.deepEqual(urlsOf(endpoint), both);
  assert.deepEqual(urlsOf({ ...endpoint, OTEL_METRICS_EXPORTER: "none" }), [both[0], undefined]);
  assert.deepEqual(urlsOf({ ...endpoint, OTEL_SDK_DISABLED: "true" }), [undefined, undefined]);
  assert.deepEqual(urlsOf({ OTEL_TRACES_EXPORTER: "otlp" }), [
    "http://localhost:4318/v1/traces",
    undefined,
  ]);
  const own = { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "https://metrics.example/otlp" };
  assert.deepEqual(urlsOf(own), [undefined, "https://metrics.example/otlp"]);
});

test("reads names and values of headers and attributes, percent-decoded", () => {
  const { config, secrets } = loadConfig({
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20a%2Cb, x-tenant=one",
    OTEL_RESOURCE_ATTRIBUTES: "service.name=other,k=a=b",
  });
  assert.deepEqual(secrets.telemetryHeaders, {
    authorization: "Bearer a,b",
    "x-tenant": "one",
  });
  assert.deepEqual(config.telemetry.resource, { "service.name": "avow", k: "a=b" });
  assert.match(errorOf({ OTEL_EXPORTER_OTLP_HEADERS: "hunter2" }), /^(?!.*hunter2)/s);
  assert.match(errorOf({ OTEL_TRACES_SAMPLER_ARG: "2" }), /a ratio from 0 to 1/);
});

test("treats an empty variable as unset", () => {
  assert.deepEqual(loadConfig({ PORT: "", HOST: " ", DATABASE_URL: "" }), loadConfig({}));
});

test("reports all invalid variables at once, with the expected and the actual value", () => {
  const message = errorOf({ PORT: "http", LOG_LEVEL: "loud", DEMO: "maybe", HOST: "127.0.0.1" });
  assert.match(message, /^3 settings are not valid:/);
  assert.match(message, /PORT: expected a whole number from 0 to 65535, got "http"/);
  assert.match(message, /LOG_LEVEL: expected one of trace, .*, got "loud"/);
  assert.match(message, /DEMO: expected one of auto, on, off, got "maybe"/);
  assert.doesNotMatch(message, /HOST/);
});

test("names an invalid secret without its value", () => {
  const message = errorOf({
    DATABASE_URL: "mysql://root:hunter2@localhost/x",
    METRICS_TOKEN: "hunter2",
    SECRET_KEY: "hunter2".repeat(4),
    PURGE_HEADERS: '{"X-Key": "hunter2"',
  });
  assert.match(message, /DATABASE_URL: expected postgresql:/);
  assert.match(message, /METRICS_TOKEN: expected a token/);
  assert.match(message, /SECRET_KEY: expected a secret of 32/);
  assert.match(message, /PURGE_HEADERS: expected a JSON object/);
  assert.doesNotMatch(message, /hunter2/);
});

test("reads every secret from a file, and rejects a file that is missing or empty", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "avow-config-"));
  context.after(() => rm(folder, { recursive: true }));
  const file = join(folder, "secret");
  await writeFile(file, `${"s".repeat(32)}\n`);
  assert.equal(loadConfig({ SECRET_KEY_FILE: file }).secrets.secretKey, "s".repeat(32));
  const secrets = Object.entries<Setting>(settings).filter(([, { secret }]) => secret);
  for (const [name] of secrets) {
    const missing = errorOf({ [`${name}_FILE`]: join(folder, "none") });
    assert.match(missing, new RegExp(`  ${name}_FILE: expected a readable file, .*ENOENT`));
  }
  assert.match(
    errorOf({ SECRET_KEY_FILE: file, SECRET_KEY: "t".repeat(32) }),
    /SECRET_KEY: expected either it or SECRET_KEY_FILE, got both$/,
  );
  await writeFile(file, "\n");
  assert.match(errorOf({ DATABASE_URL_FILE: file }), /DATABASE_URL_FILE: .* which is empty/);
  await writeFile(file, "hunter2");
  assert.doesNotMatch(errorOf({ DATABASE_URL_FILE: file }), /hunter2/);
  assert.deepEqual(loadConfig({ SECRET_KEY_FILE: "" }), loadConfig({}));
});

const rejected: [string, string][] = [
  ["PORT", "65536"],
  ["PORT", "-1"],
  ["PORT", "80.5"],
  ["HOST", "two words"],
  ["HOST", "http://x"],
  ["PUBLIC_URL", "consent.example.com"],
  ["PUBLIC_URL", "ftp://consent.example.com"],
  ["PUBLIC_URL", "https://user:pw@consent.example.com"],
  ["PUBLIC_URL", "https://consent.example.com/?a=b"],
  ["DATABASE_POOL_MAX", "0"],
  ["DATA_DIR", "a\0b"],
  ["CORS_ORIGINS", "https://a.example, *"],
  ["CORS_ORIGINS", "https://a.example/path"],
  ["TRUST_PROXY", "yes"],
  ["TRUST_PROXY", "0"],
  ["TRUST_PROXY", "17"],
  ["TRUST_PROXY", "1, 10.0.0.0/8"],
  ["TRUST_PROXY", "10.0.0.0/33"],
  ["TRUST_PROXY", "10.0.0.0/8/8"],
  ["FREE_TIER_FILE_BYTES_MAX", "64K"],
  ["SHUTDOWN_TIMEOUT_MS", "1e3"],
  ["LOG_FORMAT", "xml"],
  ["OBJECTS", "gcs"],
  ["S3_BUCKET", "No Bucket"],
  ["S3_ENDPOINT", "minio:9000"],
  ["S3_PREFIX", "a/../b"],
  ["S3_REGION", "eu central"],
  ["S3_PATH_STYLE", "yes"],
  ["CDN", "akamai"],
  ["CLOUDFRONT_DISTRIBUTION_ID", "https://d1.cloudfront.net"],
  ["PURGE_URLS", "ftp://cache{path}"],
  ["PURGE_URLS", "http://cache{file}"],
  ["PURGE_URLS", "http://user:pw@cache{path}"],
  ["PURGE_URLS", "http://one{path}, two{path}"],
  ["PURGE_METHOD", "BREW"],
  ["PURGE_HEADERS", "X-Key: abc"],
  ["PURGE_HEADERS", '["X-Key"]'],
  ["PURGE_HEADERS", '{"X-Key": 1}'],
  ["PURGE_HEADERS", '{"X Key": "a"}'],
  ["PURGE_HEADERS", '{"X-Key": "a\\r\\nHost: b"}'],
  ["PURGE_HEADERS", '{"Content-Length": "5"}'],
  ["PLANS", "pro"],
  ["PLANS", '["pro"]'],
  ["PLANS", '{"Pro": {}}'],
  ["PLANS", '{"pro": {"seats": 3}}'],
  ["PLANS", '{"pro": {"seatsMax": 0}}'],
  ["PLANS", '{"pro": {"toString": 1}}'],
  ["PLANS", '{"pro": {"layouts": ["popup"]}}'],
  ["PLANS", '{"free": {"fileBytesMax": 1}}'],
  ["BILLING_GRACE_DAYS", "366"],
  ["STRIPE_SECRET_KEY", "pk_live_12345678"],
  ["STRIPE_WEBHOOK_SECRET", "12345678"],
  ["STRIPE_PRICES", "price_1"],
  ["STRIPE_PRICES", "pro=prod_1"],
  ["STRIPE_PRICES", "pro=price_1,pro=price_1"],
  ["STRIPE_PRICES", "free=price_1"],
  ["STRIPE_PRICES", "gold=price_1"],
  ["STRIPE_API_URL", "api.stripe.com"],
  ["OPERATOR_TOKEN", "short"],
];
for (const [name, value] of rejected) {
  test(`rejects ${name}=${JSON.stringify(value)}`, () => {
    assert.match(errorOf({ [name]: value }), new RegExp(`  ${name}: expected `));
  });
}

test("requires all settings of Stripe together and shows no secret", () => {
  const stripe = {
    STRIPE_SECRET_KEY: "sk_live_hunter2",
    STRIPE_WEBHOOK_SECRET: "whsec_hunter2xx",
    STRIPE_PRICES: "pro=price_1, pro=price_2, business=price_3",
    PLANS: '{"business":{}}',
  };
  const { config, secrets } = loadConfig(stripe);
  assert.deepEqual(
    [...(config.billing.stripe?.prices ?? [])],
    [
      ["price_1", "pro"],
      ["price_2", "pro"],
      ["price_3", "business"],
    ],
  );
  assert.deepEqual(secrets.stripe, {
    secretKey: "sk_live_hunter2",
    webhookSecret: "whsec_hunter2xx",
  });
  for (const name of ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_PRICES"] as const) {
    const message = errorOf({ ...stripe, [name]: "" });
    assert.match(message, new RegExp(`^A setting is not valid:\n  ${name}: expected`));
    assert.doesNotMatch(message, /hunter2/);
  }
  assert.match(
    errorOf({ ...stripe, PLANS: "" }),
    /STRIPE_PRICES: expected one of pro, got business/,
  );
});

test("removes a URL's last slash and derives CDN_URL from PUBLIC_URL", () => {
  const { config } = loadConfig({ PUBLIC_URL: "https://example.com/consent/" });
  assert.equal(config.http.publicUrl, "https://example.com/consent");
  assert.equal(config.cdnUrl, "https://example.com/consent/cdn");
  const own = loadConfig({ CDN_URL: "https://cdn.example.com/" });
  assert.equal(own.config.cdnUrl, "https://cdn.example.com");
});

test("keeps published files in a folder or in a named bucket", () => {
  const folder = loadConfig({ DATA_DIR: "/srv/avow" }).config.objects;
  assert.deepEqual(folder, { kind: "folder", root: "/srv/avow/published" });
  const aws = { OBJECTS: "s3", S3_BUCKET: "avow.example" };
  const s3 = { kind: "s3", bucket: "avow.example", prefix: "", pathStyle: false };
  assert.deepEqual(loadConfig(aws).config.objects, {
    ...s3,
    endpoint: undefined,
    region: undefined,
  });
  const { objects } = loadConfig({
    ...aws,
    S3_ENDPOINT: "http://minio:9000/",
    S3_PREFIX: "/consent/live/",
    S3_PATH_STYLE: "on",
  }).config;
  const place = { endpoint: "http://minio:9000", region: "us-east-1", prefix: "consent/live/" };
  assert.deepEqual(objects, { ...s3, ...place, pathStyle: true });
});

test("rejects incomplete settings of S3", () => {
  assert.match(errorOf({ OBJECTS: "s3" }), /^A setting is .*\n {2}S3_BUCKET: expected a bucket/);
  assert.match(errorOf({ S3_BUCKET: "avow" }), /OBJECTS: expected s3, since S3_BUCKET is set/);
});

test("reads the CDN or caches to purge", () => {
  assert.deepEqual(loadConfig({}).config.cdn, { kind: "none" });
  const cloudFront = { CDN: "cloudfront", CLOUDFRONT_DISTRIBUTION_ID: "E2QWRUHAPOMQZL" };
  const { cdn } = loadConfig(cloudFront).config;
  assert.deepEqual(cdn, { kind: "cloudfront", distributionId: "E2QWRUHAPOMQZL" });
  const { config, secrets } = loadConfig({
    CDN: "purge",
    PURGE_URLS: "http://one:6081{path}, {url}",
    PURGE_HEADERS: '{"X-Key": "hunter2"}',
  });
  const caches = ["http://one:6081{path}", "{url}"];
  assert.deepEqual(config.cdn, { kind: "purge", caches, method: "PURGE", body: undefined });
  assert.deepEqual(secrets.purgeHeaders, { "X-Key": "hunter2" });
  assert.doesNotMatch(JSON.stringify(config), /hunter2/);
});

test("rejects an incomplete CDN and purge URLs without a placeholder", () => {
  assert.match(errorOf({ CDN: "cloudfront" }), /CLOUDFRONT_DISTRIBUTION_ID: expected a distr/);
  assert.match(errorOf({ CDN: "purge" }), /PURGE_URLS: expected http or https addresses .*, which/);
  const idle = errorOf({ CLOUDFRONT_DISTRIBUTION_ID: "E2QWRUHAPOMQZL" });
  assert.match(idle, /CDN: expected cloudfront, since CLOUDFRONT_DISTRIBUTION_ID is set/);
  const same = { CDN: "purge", PURGE_URLS: "https://api.example/purge", PURGE_METHOD: "POST" };
  assert.match(errorOf(same), /PURGE_URLS: expected \{path\} or \{url\} in https:\/\/api\.example/);
  assert.equal(loadConfig({ ...same, PURGE_BODY: "{path}" }).config.cdn.kind, "purge");
});

test("uses the loopback address in links for a wildcard host", () => {
  assert.equal(loadConfig({ HOST: "0.0.0.0" }).config.http.publicUrl, "http://127.0.0.1:8080");
  assert.equal(loadConfig({ HOST: "::", PORT: "1" }).config.http.publicUrl, "http://[::1]:1");
  assert.equal(loadConfig({ HOST: "::1" }).config.http.publicUrl, "http://[::1]:8080");
});

test("serves the demo by default only where HOST and PUBLIC_URL are loopback addresses", () => {
  const isOn = (env: Record<string, string>) => loadConfig(env).config.demo;
  for (const env of [
    { HOST: "localhost" },
    { HOST: "127.0.0.2" },
    { HOST: "::1" },
    { HOST: "::ffff:127.0.0.1" },
    { PUBLIC_URL: "http://localhost:8080" },
    { PUBLIC_URL: "http://[::1]:8080/avow" },
    { HOST: "::1", PUBLIC_URL: "https://127.1:8443" },
  ])
    assert.equal(isOn(env), true, JSON.stringify(env));
  for (const env of [
    { HOST: "0.0.0.0" },
    { HOST: "::" },
    { HOST: "192.168.0.2" },
    { HOST: "127.consent.example" },
    { PUBLIC_URL: "https://consent.example" },
    { PUBLIC_URL: "https://127.0.0.1.consent.example" },
    { PUBLIC_URL: "https://localhost.example" },
    { HOST: "0.0.0.0", PUBLIC_URL: "http://127.0.0.1:8080" },
  ])
    assert.equal(isOn(env), false, JSON.stringify(env));
  assert.equal(isOn({ HOST: "0.0.0.0", PUBLIC_URL: "https://consent.example", DEMO: "on" }), true);
  assert.equal(isOn({ DEMO: "off" }), false);
});

test("reads lists and secrets", () => {
  const { config, secrets } = loadConfig({
    CORS_ORIGINS: "https://a.example, http://localhost:5173",
    TRUST_PROXY: "loopback,10.0.0.0/8, fd00::/8",
    DATABASE_URL: "postgres://u:p@db/avow",
    METRICS_TOKEN: "12345678",
    SECRET_KEY: "k".repeat(32),
  });
  assert.deepEqual(config.http.corsOrigins, ["https://a.example", "http://localhost:5173"]);
  assert.deepEqual(config.http.trustProxy, ["loopback", "10.0.0.0/8", "fd00::/8"]);
  assert.deepEqual(secrets, {
    databaseUrl: "postgres://u:p@db/avow",
    metricsToken: "12345678",
    secretKey: "k".repeat(32),
  });
  assert.doesNotMatch(JSON.stringify(config), /12345678|u:p|kkk/);
});

test("reads the proxies before the service as a number or as addresses", () => {
  const read = (text: string) => loadConfig({ TRUST_PROXY: text }).config.http.trustProxy;
  assert.deepEqual(["off", "on", "1", "16"].map(read), [false, "on", 1, 16]);
  assert.deepEqual(read("127.0.0.1, ::1"), ["127.0.0.1", "::1"]);
});

test("help describes every setting within the width", () => {
  const help = stripVTControlCharacters(toHelp(100));
  for (const [name, { description }] of Object.entries<Setting>(settings)) {
    assert.match(help, new RegExp(`^  ${name} `, "m"));
    assert.match(description, /^[A-Z][^\n]+\.$/, `${name} is described by a sentence`);
  }
  for (const title of Object.keys(groups)) assert.match(help, new RegExp(`^${title}$`, "m"));
  for (const line of help.split("\n")) assert.ok(line.length <= 100, line);
});

test("docs/reference/settings.md is what `npm run settings` writes", async () => {
  const page = await readFile(
    join(import.meta.dirname, "../../../docs/reference/settings.md"),
    "utf8",
  );
  assert.ok(
    page === toSettingsPage(),
    "docs/reference/settings.md is out of date: run `npm run settings`",
  );
});

test("gives every setting a name and a field of its own", () => {
  const tables: object[] = Object.values(groups);
  const names = tables.flatMap((table) => Object.keys(table));
  assert.deepEqual(Object.keys(settings), names);
  const fields = Object.values<Setting>(settings)
    .filter(({ path }) => path !== undefined)
    .map(({ path, secret }) => `${secret ? "secrets" : "config"}.${path}`);
  assert.deepEqual(fields, [...new Set(fields)]);
});

test("accepts every default and every value that requires another setting", () => {
  const table: Record<string, Setting> = settings;
  for (const [name, { kind, default: standard, requiredWith = [] }] of Object.entries(table)) {
    if (standard !== undefined) assert.notEqual(kind.parse(standard), undefined, name);
    for (const requirement of requiredWith) {
      const [other = "", value] = requirement.split("=");
      assert.ok(other in table, requirement);
      if (value !== undefined) assert.equal(table[other]?.kind.parse(value), value);
    }
  }
});

test("reports all required settings at once", () => {
  const message = errorOf({
    OBJECTS: "s3",
    CDN: "purge",
    SMTP_URL: "smtps://mail.example",
    STRIPE_WEBHOOK_SECRET: "whsec_hunter2xx",
  });
  assert.match(message, /^5 settings are not valid:/);
  assert.match(message, /S3_BUCKET: expected a bucket's name .*, which OBJECTS=s3 needs/);
  assert.match(message, /PURGE_URLS: expected .*, which CDN=purge needs/);
  assert.match(message, /MAIL_FROM: expected .*, which SMTP_URL needs/);
  assert.match(message, /STRIPE_SECRET_KEY: expected .*, which STRIPE_WEBHOOK_SECRET needs/);
  assert.match(message, /STRIPE_PRICES: expected .*, which STRIPE_WEBHOOK_SECRET needs/);
});

test("reads providers with their presets and rejects invalid ones without showing them", () => {
  const client = { clientId: "id", clientSecret: "hunter2" };
  const read = (value: unknown) =>
    loadConfig({ SIGN_IN_PROVIDERS: JSON.stringify(value) }).secrets.providers ?? [];
  const [google, microsoft, company] = read({
    google: client,
    microsoft: { ...client, tenant: "contoso.example" },
    company: { ...client, issuer: "https://id.example/realms/staff", title: "Staff" },
  });
  assert.equal(google?.issuer, "https://accounts.google.com");
  assert.equal(microsoft?.issuer, "https://login.microsoftonline.com/contoso.example/v2.0");
  assert.deepEqual(
    [company?.issuer, company?.title, company?.kind],
    ["https://id.example/realms/staff", "Staff", "oidc"],
  );
  const wrong = [
    { google: { clientId: "id" } },
    { company: client },
    { company: { ...client, issuer: "http://id.example" } },
    { local: { ...client, issuer: "https://id.example" } },
    { "../x": { ...client, issuer: "https://id.example" } },
    { microsoft: { ...client, tenant: "a/b" } },
    { apple: { clientId: "id", teamId: "T", keyId: "K", privateKey: "hunter2" } },
    { github: { ...client, url: "http://github.example" } },
    [client],
    "hunter2",
  ];
  for (const value of wrong) {
    const message = errorOf({ SIGN_IN_PROVIDERS: JSON.stringify(value) });
    assert.match(message, /SIGN_IN_PROVIDERS: expected a JSON object/, JSON.stringify(value));
    assert.doesNotMatch(message, /hunter2/);
  }
});

test("requires a sender with a mail server and reads its URL", () => {
  assert.match(errorOf({ SMTP_URL: "smtps://mail.example" }), /MAIL_FROM: expected an address/);
  const from = { MAIL_FROM: "Avow <avow@example.com>" };
  const read = (url: string) => loadConfig({ ...from, SMTP_URL: url });
  const { config, secrets } = read("smtp://a%40b:p%3Aw@mail.example");
  assert.deepEqual(config.mail.smtp, { host: "mail.example", port: 587, tls: "upgrade" });
  assert.deepEqual(secrets.smtpLogin, { user: "a@b", password: "p:w" });
  assert.deepEqual(config.mail.from, { name: "Avow", address: "avow@example.com" });
  assert.equal(read("smtps://mail.example").config.mail.smtp?.tls, "start");
  assert.equal(read("smtp://mail.example:25?tls=off").config.mail.smtp?.tls, "none");
  assert.equal(read("smtp://localhost:1025").config.mail.smtp?.tls, "none");
  for (const bad of [
    "mail.example",
    "http://mail.example",
    "smtp://:x@mail.example",
    "smtps://m?tls=off",
  ]) {
    assert.match(errorOf({ ...from, SMTP_URL: bad }), /SMTP_URL: expected/);
  }
  assert.match(errorOf({ MAIL_FROM: "Avow <a@b>\nBcc: c@d" }), /MAIL_FROM: expected/);
});

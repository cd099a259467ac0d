import { openApp } from "../../packages/server/app.ts";
import { loadConfig } from "../../packages/server/config/config.ts";
import type { Intervals } from "../../packages/server/kernel/intervals.ts";
import { openLog } from "../../packages/server/platform/log.ts";
import type { Passwords } from "../../packages/server/platform/crypto/passwords.ts";
import { openTelemetry } from "../../packages/server/platform/telemetry/open.ts";
import { findFreePort } from "../../packages/server/platform/ports.ts";
import { toDataUrl } from "../database.ts";
import {
  intervals as shortIntervals,
  passwords as lowPasswords,
  service,
  runLog,
} from "../harness.ts";
import { rememberSettings } from "../run-log.ts";

/** A service separate from the shared one, whose database may be dropped, and whose log is readable. */
export interface AnotherService extends AsyncDisposable {
  url: string;
  port: number;
  /** Log lines of every level. */
  lines: string[];
  /** The token of the link that a start prints while there is no operator. */
  createFirstClaim(): Promise<string | undefined>;
}

/**
 * Starts a separate service on `databaseUrl`; `env` overrides the default settings. It uses the shared
 * service's clock, since services on one database run each other's jobs.
 */
export async function openAnotherService(
  databaseUrl: string,
  env: Record<string, string> = {},
  now: () => Date = service.clock.now,
  parts: { passwords?: Passwords; intervals?: Intervals } = {},
): Promise<AnotherService> {
  const { passwords = lowPasswords, intervals = shortIntervals } = parts;
  const opened = new AsyncDisposableStack();
  const { dataDir, tcfVendorList, cdnUrl, http } = service.config;
  const port = Number(env["PORT"] ?? (await findFreePort("127.0.0.1")));
  const shared = {
    DATA_DIR: dataDir,
    TCF_VENDOR_LIST: tcfVendorList,
    SIGNUPS_PER_HOUR_MAX: String(service.config.signupsPerHourMax),
    VISITOR_LINKS_PER_MINUTE_MAX: String(service.config.visitorLinksPerMinuteMax),
    VISITOR_MISSES_PER_MINUTE_MAX: String(service.config.visitorMissesPerMinuteMax),
    WEBHOOKS_ALLOWED_NETWORKS: "127.0.0.0/8",
    // Services on one database run each other's jobs, so they must write the same public URL.
    ...(databaseUrl === service.databaseUrl ? { PUBLIC_URL: http.publicUrl, CDN_URL: cdnUrl } : {}),
  };
  const { config, secrets } = loadConfig({ PORT: String(port), ...shared, ...env });
  rememberSettings(env);
  const lines: string[] = [];
  const output = {
    write(line: string): void {
      lines.push(line);
      runLog.write(line);
    },
  };
  const telemetry = await openTelemetry({
    config: config.telemetry,
    headers: secrets.telemetryHeaders ?? {},
    onError: (err) => log.warn({ err }, "telemetry export failed"),
  });
  if (telemetry) opened.use(telemetry);
  const findTraceparent = () => telemetry?.tracing?.findActiveSpan()?.traceparent;
  const log = openLog({ level: "trace", format: "json", output, findTraceparent });
  const app = opened.use(
    await openApp({
      config,
      secrets,
      databaseUrl,
      dataUrl: toDataUrl(databaseUrl),
      log,
      now,
      passwords,
      intervals,
      telemetry,
    }),
  );
  const url = await app.http.listen({ host: "127.0.0.1", port });
  const createFirstClaim = async (): Promise<string | undefined> => {
    const claim = await app.createFirstClaim();
    const token = claim?.url.split("#")[1];
    runLog.remember("the token of a claim", token);
    return token;
  };
  return { url, port, lines, createFirstClaim, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

import { existsSync } from "node:fs";
import type { OutgoingHttpHeaders } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { openApp } from "../packages/server/app.ts";
import { loadConfig } from "../packages/server/config/config.ts";
import { openDataPlane } from "../packages/server/platform/db/buckets/open.ts";
import { toOneBucket } from "../packages/server/platform/db/buckets/buckets.ts";
import { openDataDatabase, openPlanes } from "../packages/server/platform/db/open.ts";
import type { Intervals } from "../packages/server/kernel/intervals.ts";
import { openPasswords } from "../packages/server/platform/crypto/passwords.ts";
import { findFreePort } from "../packages/server/platform/ports.ts";
import { type LookupAll, lookupAll } from "../packages/server/platform/outbound/lookup.ts";
import { openLog } from "../packages/server/platform/log.ts";
import { getTablesSchema, openTestDatabase } from "./database.ts";
import { keepOpen, resetAfterFile } from "./resources.ts";
import { executablePath } from "./runner/browser.ts";
import { rememberExchange } from "./log-leaks.ts";
import { rememberKeys, runLog } from "./run-log.ts";

export { runLog };

/** A request of a test. */
export interface TestRequest {
  method?: string;
  token?: string;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as application/x-www-form-urlencoded. */
  form?: Record<string, string>;
  /** Sent unchanged. */
  body?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

/** A response; `body` is parsed if it is JSON, text otherwise. */
export interface TestAnswer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into every shape of answer
  body: any;
}

/** The operator token of the shared service. */
export const operatorToken = "operator-of-the-tests";
/** A hash takes microseconds here; at its full cost it takes 50 ms of processor time. */
export const passwords = await openPasswords({ memoryCostKib: 8, timeCost: 1, parallelism: 1 });
const REQUEST_TIMEOUT_MS = 30_000;
/** Short, because tests wait for the log and for counts. */
export const intervals: Intervals = {
  logMs: 100,
  countsMs: 100,
  witnessesMs: 100,
  timestampsMs: 100,
  collectingMs: 500,
};
/** All sign-ups and links of the tests come from one address. */
const signupsPerHourMax = "1000000";
const visitorRequestsPerMinuteMax = "1000000";

runLog.remember("the operator's token", operatorToken);

interface SentRequest {
  method: string;
  headers: Headers;
  body?: string | Uint8Array<ArrayBuffer>;
}

function toHeaders(answered: OutgoingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(answered))
    for (const value of [values].flat()) headers.append(name, String(value));
  return headers;
}

/** A clock that runs by itself, and can be advanced. */
function createClock() {
  let aheadMs = 0;
  return {
    now: () => new Date(Date.now() + aheadMs),
    advance(ms: number): void {
      aheadMs += ms;
    },
    reset(): void {
      aheadMs = 0;
    },
  };
}

/** A logger of all levels, which prints from TEST_LOG_LEVEL on. */
function openTestLog() {
  const { values } = pino.levels;
  const shown = values[process.env["TEST_LOG_LEVEL"] ?? "fatal"] ?? Infinity;
  const output = {
    write(line: string): void {
      runLog.write(line);
      const [, level = ""] = /^\{"level":"(\w+)"/.exec(line) ?? [];
      if ((values[level] ?? Infinity) >= shown) process.stdout.write(line);
    },
  };
  return openLog({ level: "trace", format: "json", output });
}

/** Names under avow.test: of this service, of another server on this machine, and of a private network. */
const testHosts: Record<string, string> = {
  "elsewhere.avow.test": "127.0.0.2",
  "private.avow.test": "10.0.0.1",
};
const lookUpInTest: LookupAll = (hostname, answer) => {
  if (!hostname.endsWith(".avow.test")) return lookupAll(hostname, answer);
  answer(null, [{ address: testHosts[hostname] ?? "127.0.0.1", family: 4 }]);
};

async function openService() {
  const opened = new AsyncDisposableStack();
  const database = opened.use(await openTestDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), "avow-test-"));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const port = await findFreePort("127.0.0.1");
  const { config, secrets } = loadConfig({
    PORT: String(port),
    DATA_DIR: dataDir,
    CORS_ORIGINS: "https://admin.example",
    // Unused until a test returns from the provider.
    SIGN_IN_PROVIDERS: '{"github": {"clientId": "avow", "clientSecret": "secret"}}',
    OPERATOR_TOKEN: operatorToken,
    SIGNUPS_PER_HOUR_MAX: signupsPerHourMax,
    VISITOR_LINKS_PER_MINUTE_MAX: visitorRequestsPerMinuteMax,
    VISITOR_MISSES_PER_MINUTE_MAX: visitorRequestsPerMinuteMax,
    DATABASE_POOL_MAX: "10",
    WEBHOOKS_ALLOWED_NETWORKS: "127.0.0.0/8",
    TCF_VENDOR_LIST: join(dataDir, "vendor-list.json"),
    ...(existsSync(executablePath) ? { CHROMIUM_PATH: executablePath } : {}),
    // Root cannot use the sandbox; tests scan only what they serve themselves.
    CHROMIUM_SANDBOX: process.getuid?.() === 0 ? "off" : "on",
  });
  const clock = createClock();
  const log = openTestLog();
  const app = opened.use(
    await openApp({
      config,
      secrets,
      databaseUrl: database.url,
      dataUrl: database.dataUrl,
      log,
      now: clock.now,
      passwords,
      intervals,
      lookup: lookUpInTest,
    }),
  );
  await rememberKeys(dataDir);
  const urls = { url: database.url, dataUrl: database.dataUrl };
  const pool = { poolMax: 4, queueMax: 1_000, log };
  const { db, data: home } = opened.use(openPlanes({ ...urls, ...pool }));
  const schema = getTablesSchema();
  const isDivided = schema !== undefined;
  const data = isDivided ? openDataDatabase({ url: urls.dataUrl, schema, ...pool }) : home;
  if (isDivided) opened.defer(() => data.destroy());
  const buckets = isDivided
    ? opened.use(
        await openDataPlane({
          home,
          dataUrl: urls.dataUrl,
          ...pool,
          attach: (one) => one,
          // Tests collect with nodes of their own, which know no project before that.
          hasProject: async () => true,
        }),
      )
    : toOneBucket(data);
  const url = await app.http.listen({ host: "127.0.0.1", port });

  /** Sends in this process without a socket, or over one if the path is a whole URL. */
  async function send(path: string, request: SentRequest) {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    if (path.startsWith("http")) {
      const answer = await fetch(path, { ...request, redirect: "manual", signal });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    }
    const { method, headers, body } = request;
    const answer = await app.http.inject({
      url: path,
      method,
      headers: Object.fromEntries(headers),
      signal,
      ...(body === undefined
        ? {}
        : { payload: typeof body === "string" ? body : Buffer.from(body) }),
    });
    return { status: answer.statusCode, headers: toHeaders(answer.headers), text: answer.payload };
  }

  async function fetchJson(path: string, request: TestRequest = {}): Promise<TestAnswer> {
    const headers = new Headers(request.headers);
    if (request.token !== undefined) headers.set("authorization", `Bearer ${request.token}`);
    if (request.json !== undefined && !headers.has("content-type"))
      headers.set("content-type", "application/json");
    if (request.form !== undefined)
      headers.set("content-type", "application/x-www-form-urlencoded");
    const form = request.form && new URLSearchParams(request.form).toString();
    const body = request.body ?? form ?? JSON.stringify(request.json);
    const answer = await send(path, {
      method: request.method ?? (body === undefined ? "GET" : "POST"),
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const isJson = /[/+]json\b/.test(answer.headers.get("content-type") ?? "");
    const parsed = isJson && answer.text !== "" ? JSON.parse(answer.text) : answer.text;
    const { token, json: sent = request.form } = request;
    rememberExchange(runLog, { path, json: sent, token, body: parsed });
    return { status: answer.status, headers: answer.headers, body: parsed };
  }

  /** Signs a unique user up. */
  async function newUser(): Promise<{ token: string; email: string; id: string }> {
    const email = `user-${randomBytes(6).toString("hex")}@example.org`;
    const { body } = await fetchJson("/v1/auth/local/signup", {
      json: { email, password: "correct horse" },
    });
    const me = await fetchJson("/v1/auth/me", { token: body.token });
    return { token: body.token, email, id: me.body.id };
  }

  /** A project of `token`'s user. */
  const DPO = { organization: "Shop Ltd", address: "1 High Street, Paris" };

  async function newProject(
    token: string,
    fields: Record<string, unknown> = {},
  ): Promise<{ id: string } & Record<string, unknown>> {
    const { status, body } = await fetchJson("/v1/vault/projects", {
      token,
      json: { websiteURL: "https://shop.example", title: "Shop", DPO, ...fields },
    });
    if (status !== 201) throw new Error(`no project: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** A user with a project. */
  async function newOwner() {
    const user = await newUser();
    return { ...user, project: await newProject(user.token) };
  }

  return {
    url,
    db,
    data,
    buckets,
    clock,
    config,
    app,
    databaseUrl: database.url,
    dataUrl: database.dataUrl,
    fetch: fetchJson,
    newUser,
    newProject,
    newOwner,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** The service that every test of a run shares; each test creates its own users and projects. */
export const service = await openService();
keepOpen(service);
resetAfterFile(() => service.clock.reset());

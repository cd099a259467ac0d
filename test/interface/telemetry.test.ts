import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { after, describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { openTestDatabase } from "../database.ts";
import { poll } from "../poll.ts";
import { type ReceivedSpan, openOtlpCollector } from "../stand-ins/otlp.ts";
import { openReceiver } from "../stand-ins/receiver.ts";
import { type AnotherService, openAnotherService } from "./another-service.ts";
import { toCookies } from "./site.ts";

const SERVER = 2;
const CLIENT = 3;
const ERROR = 2;
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const collectName = `POST ${paths.collect}`;

const opened = new AsyncDisposableStack();
after(() => opened.disposeAsync());
const database = opened.use(await openTestDatabase());
const collector = opened.use(await openOtlpCollector());
const fast = { OTEL_BSP_SCHEDULE_DELAY: "50", OTEL_METRIC_EXPORT_INTERVAL: "1000" };
const service = opened.use(
  await openAnotherService(database.url, {
    ...fast,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=shop%20one",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    OTEL_PROPAGATORS: "tracecontext",
    TRUST_PROXY: "loopback",
  }),
);

async function send(
  path: string,
  json: object | undefined,
  { on = service, token = "", headers = {} }: Sending = {},
): Promise<{ status: number; body: Record<string, string> }> {
  const answer = await fetch(on.url + path, {
    method: json ? "POST" : "GET",
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(json && { "content-type": "application/json" }),
      ...headers,
    },
    ...(json && { body: JSON.stringify(json) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? {} : JSON.parse(text) };
}

interface Sending {
  on?: AnotherService;
  token?: string;
  headers?: Record<string, string>;
}

let accounts = 0;

/** A project with a cookie configuration on a service. */
async function newShop(on = service) {
  const email = `ada-${(accounts += 1)}@example.org`;
  const signedUp = await send(
    "/v1/auth/local/signup",
    { email, password: "correct horse" },
    { on },
  );
  const token = signedUp.body["token"] ?? "";
  const site = { websiteURL: "https://shop.example", title: "Shop" };
  const projectId = (await send("/v1/vault/projects", site, { on, token })).body["id"] ?? "";
  const { body } = await send("/v1/vault/cookies", toCookies(projectId), { on, token });
  const identifier = body["id"] ?? "";
  const path = hrefOf("", paths.collect, { projectId, collection: "cookies", identifier });
  const collect = (visitor: string, headers: Record<string, string> = {}) =>
    send(path, { accept: true, token: visitor }, { on, headers });
  return { email, token, projectId, identifier, collect };
}

const shop = await newShop();
const linksTo = (from: ReceivedSpan | undefined, to: ReceivedSpan | undefined): boolean =>
  from?.links.some((link) => link.traceId === to?.traceId && link.spanId === to.spanId) ?? false;

describe("a trace", () => {
  it("leads from a request to its commit and to its entry in the log", async () => {
    const before = collector.spans.length;
    const sent = { "user-agent": firefox, "x-request-id": "trace-of-one" };
    assert.equal((await shop.collect("visitor-one", sent)).status, 201);
    const isNew = (span: ReceivedSpan) => collector.spans.indexOf(span) >= before;
    const [logged] = await collector.waitForSpans(
      (span) => isNew(span) && span.name === "append to log",
    );
    const [request] = await collector.waitForSpans(
      (span) => isNew(span) && span.name === collectName,
    );
    const [written] = await collector.waitForSpans(
      (span) => isNew(span) && span.name === "write consents",
    );
    assert.ok(request && written && logged);
    assert.equal(request.kind, SERVER);
    assert.equal(request.parentSpanId, undefined);
    assert.deepEqual(request.attributes, {
      "http.request.method": "POST",
      "http.route": paths.collect,
      "http.response.status_code": 201,
    });
    assert.deepEqual(
      [written.traceId, written.parentSpanId, written.attributes],
      [request.traceId, request.spanId, { "avow.consents": 1 }],
    );
    assert.deepEqual([logged.traceId, logged.parentSpanId], [request.traceId, written.spanId]);
    assert.ok(Number(logged.attributes["avow.leaves"]) >= 1);
    // The response is sent after the commit, which the log follows.
    assert.ok(request.startTime <= written.startTime && written.endTime <= request.endTime);
    assert.ok(logged.endTime > written.endTime);
    const lines = service.lines.filter((line) => line.includes('"trace-of-one"'));
    assert.equal(lines.length, 1);
    const { trace_id: traceId, span_id: spanId } = JSON.parse(lines[0] ?? "");
    assert.deepEqual([traceId, spanId], [request.traceId, request.spanId]);
  });

  it("links a group of consents and its requests both ways, and the log to the group", async () => {
    const before = collector.spans.length;
    const visitors = Array.from({ length: 12 }, (_, at) => shop.collect(`visitor-${at}`));
    for (const { status } of await Promise.all(visitors)) assert.equal(status, 201);
    const isNew = (span: ReceivedSpan) => collector.spans.indexOf(span) >= before;
    const requests = await collector.waitForSpans(
      (span) => isNew(span) && span.name === collectName,
      12,
    );
    const groups = collector.spans.filter((span) => isNew(span) && span.name === "write consents");
    const shared = groups.find(({ links }) => links.length > 1);
    assert.ok(shared, JSON.stringify(groups.map(({ attributes }) => attributes)));
    assert.equal(shared.parentSpanId, undefined);
    assert.equal(shared.links.length, shared.attributes["avow.consents"]);
    const members = requests.filter((request) => linksTo(shared, request));
    assert.equal(members.length, shared.links.length);
    for (const member of members) assert.ok(linksTo(member, shared));
    await collector.waitForSpans(
      (span) =>
        span.name === "append to log" &&
        (linksTo(span, shared) || span.parentSpanId === shared.spanId),
    );
  });

  it("continues in the jobs and calls that a request causes", async () => {
    await using receiver = await openReceiver();
    const { token, projectId, email } = shop;
    const webhook = { url: receiver.url, events: ["consent.created"], filter: { projectId } };
    const created = await send("/v1/webhooks", webhook, { token });
    const before = collector.spans.length;
    const started = await send(hrefOf("", paths.publishJob, { id: projectId }), {}, { token });
    assert.equal(started.status, 202, JSON.stringify(started.body));
    assert.equal((await send(paths.askReset, { email })).status, 200);
    const isNew = (span: ReceivedSpan) => collector.spans.indexOf(span) >= before;
    const [published] = await collector.waitForSpans(
      (span) => isNew(span) && span.name === "job publish",
    );
    const [mailed] = await collector.waitForSpans(
      (span) => isNew(span) && span.name === "send mail",
    );
    const find = (spanId: string | undefined) =>
      collector.spans.find((span) => span.spanId === spanId);
    await poll({
      read: () => find(published?.parentSpanId)?.name,
      isRight: (name) => name === `POST ${paths.publishJob}`,
      waitMs: 5_000,
      toMessage: (name) => `the job of a publication belongs to ${name}`,
    });
    assert.equal(mailed?.kind, CLIENT);
    const job = find(mailed?.parentSpanId);
    assert.equal(job?.name, "job mails");
    assert.equal(job.traceId, mailed?.traceId);
    if (created.status === 201) {
      await shop.collect("visitor-hook");
      await collector.waitForSpans((span) => isNew(span) && span.name === "post webhook");
    } else assert.fail(JSON.stringify(created.body));
  });

  it("marks a request that failed, without the message of its error", async () => {
    const missing = await send("/v1/vault/projects/nowhere-secret", undefined, shop);
    assert.equal(missing.status, 404);
    const [span] = await collector.waitForSpans(
      ({ name, attributes }) =>
        name === "GET /v1/vault/projects/:documentId" &&
        attributes["http.response.status_code"] === 404,
    );
    assert.notEqual(span?.statusCode, ERROR);
    assert.deepEqual(Object.keys(span?.attributes ?? {}).toSorted(), [
      "http.request.method",
      "http.response.status_code",
      "http.route",
    ]);
  });

  it("contains no token, address, id of a person or header of a request", async () => {
    await shop.collect("visitor-last", { "user-agent": firefox });
    await collector.waitForSpans(({ name }) => name === collectName);
    const all = collector.requests.map(({ text }) => text).join("\n");
    const { token, email, projectId, identifier } = shop;
    const values = [
      token,
      email,
      projectId,
      identifier,
      "visitor-",
      "Firefox",
      "127.0.0.1",
      "nowhere-secret",
    ];
    for (const value of values) assert.ok(!all.includes(value), value);
  });
});

describe("a caller's traceparent", () => {
  const id = "0af7651916cd43dd8448eb211c80319c";
  const parent = "b7ad6b7169203331";
  const proxied = { "x-forwarded-for": "203.0.113.7" };

  let requests = 0;

  /** The span of a request, found by the trace in its log line. */
  async function collectAs(headers: Record<string, string>): Promise<ReceivedSpan | undefined> {
    const requestId = `parent-${(requests += 1)}`;
    const sent = { ...headers, "x-request-id": requestId };
    assert.equal((await shop.collect("visitor-parent", sent)).status, 201);
    const line = service.lines.find((one) => one.includes(`"${requestId}"`)) ?? "{}";
    const { trace_id: traceId, span_id: spanId } = JSON.parse(line);
    const [span] = await collector.waitForSpans(
      (one) => one.traceId === traceId && one.spanId === spanId,
    );
    return span;
  }

  it("is continued from a trusted proxy", async () => {
    const span = await collectAs({ ...proxied, traceparent: `00-${id}-${parent}-01` });
    assert.deepEqual([span?.traceId, span?.parentSpanId], [id, parent]);
  });

  const rejected = {
    "of a caller that is no proxy": { traceparent: `00-${id}-${parent}-01` },
    "with zeros": { ...proxied, traceparent: `00-${"0".repeat(32)}-${parent}-01` },
    "in upper case": { ...proxied, traceparent: `00-${id.toUpperCase()}-${parent}-01` },
    "with more": { ...proxied, traceparent: `00-${id}-${parent}-01-x` },
  };
  for (const [name, headers] of Object.entries(rejected))
    it(`is ignored ${name}`, async () => {
      const span = await collectAs(headers);
      assert.notEqual(span?.traceId, id);
      assert.equal(span?.parentSpanId, undefined);
    });
});

describe("metrics over OTLP", () => {
  it("have the names, kinds and values of /metrics", async () => {
    const name = "avow_http_request_duration_seconds";
    const route = { method: "POST", route: paths.collect, status: 201 };
    const countOf = (text: string): number => {
      const line = text
        .split("\n")
        .find((one) => one.startsWith(`${name}_count{`) && one.includes(paths.collect));
      return Number(line?.split(" ").at(-1));
    };
    const text = await (await fetch(`${service.url}/metrics`)).text();
    const point = await poll({
      read: () =>
        collector.metrics
          .get(name)
          ?.points.find(({ attributes }) => attributes["route"] === route.route),
      isRight: (one) => one?.value === countOf(text),
      waitMs: 10_000,
      toMessage: (one) => `${JSON.stringify(one)} instead of ${countOf(text)}`,
    });
    assert.ok(point && point.value > 0);
    assert.equal(collector.metrics.get(name)?.kind, "histogram");
    assert.equal(collector.metrics.get("avow_process_cpu_seconds_total")?.kind, "sum");
    const exposed = new Set(text.split("\n").map((line) => /^# TYPE (\S+)/.exec(line)?.[1]));
    for (const exported of collector.metrics.keys()) assert.ok(exposed.has(exported), exported);
  });

  it("and traces name the service, its version and the settings' attributes and headers", () => {
    const { "service.version": version, ...resource } = collector.resource();
    assert.match(String(version), /^\d+\.\d+/);
    assert.equal(resource["service.name"], "avow");
    assert.equal(resource["deployment.environment.name"], "test");
    for (const { headers } of collector.requests) assert.equal(headers["x-tenant"], "shop one");
    const sent = new Set(collector.requests.map(({ path }) => path));
    assert.deepEqual([...sent].toSorted(), ["/v1/metrics", "/v1/traces"]);
  });
});

describe("an export", () => {
  it("sends at shutdown what it has not sent yet", async () => {
    await using own = await openOtlpCollector();
    {
      await using other = await openAnotherService(database.url, {
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${own.url}/custom`,
        OTEL_BSP_SCHEDULE_DELAY: "3600000",
      });
      await send("/v1/auth/me", undefined, { on: other });
      assert.deepEqual(own.requests, []);
    }
    assert.deepEqual(
      own.spans.filter(({ kind }) => kind === SERVER).map(({ name }) => name),
      ["GET /v1/auth/me"],
    );
    assert.deepEqual([...new Set(own.requests.map(({ path }) => path))], ["/custom"]);
  });

  it("that a collector refuses harms no request, and is logged once", async () => {
    await using other = await openAnotherService(database.url, {
      ...fast,
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
      OTEL_EXPORTER_OTLP_TIMEOUT: "200",
    });
    const failures = () => other.lines.filter((line) => line.includes("telemetry export failed"));
    const { collect } = await newShop(other);
    for (let round = 0; round < 3; round += 1) {
      assert.equal((await collect(`refused-${round}`)).status, 201);
      await poll({
        read: () => failures().length,
        isRight: (count) => count > 0,
        waitMs: 10_000,
        toMessage: () => "no failure was logged",
      });
    }
    // One of traces, one of metrics.
    assert.ok(failures().length <= 2, failures().join(""));
    assert.match(failures()[0] ?? "", /ECONNREFUSED/);
  });

  it("that hangs harms no request, and delays the shutdown by 5 s at most", async () => {
    const server = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    assert.ok(typeof address === "object" && address);
    const other = await openAnotherService(database.url, {
      ...fast,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${address.port}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: "600000",
    });
    const { collect } = await newShop(other);
    assert.equal((await collect("hung")).status, 201);
    const startMs = performance.now();
    await other[Symbol.asyncDispose]();
    assert.ok(performance.now() - startMs < 8_000);
    server.close();
  });

  it("drops the spans that the queue cannot hold while the collector is slow", async () => {
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    await using own = await openOtlpCollector(ready);
    const other = await openAnotherService(database.url, {
      ...fast,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own.url,
      OTEL_BSP_MAX_QUEUE_SIZE: "4",
    });
    for (let at = 0; at < 40; at += 1) await send("/v1/auth/me", undefined, { on: other });
    resolve();
    await other[Symbol.asyncDispose]();
    // One batch on its way, and one in the queue.
    assert.ok(own.spans.length > 0 && own.spans.length <= 8, String(own.spans.length));
  });

  it("costs nothing while it is off: the SDK is not loaded", () => {
    const load = (env: Record<string, string>): string => {
      const at = (path: string) =>
        JSON.stringify(new URL(`../../packages/server/${path}`, import.meta.url));
      const program = `
        import { registerHooks } from "node:module";
        const found = new Set();
        // prom-client loads the interfaces, which do nothing by themselves.
        registerHooks({ resolve(name, context, next) {
          if (/^@opentelemetry\\/(?!api$)/.test(name)) found.add(name);
          return next(name, context);
        } });
        await import(${at("app.ts")});
        const { loadConfig } = await import(${at("config/config.ts")});
        const { openTelemetry } = await import(${at("platform/telemetry/open.ts")});
        const { config } = loadConfig(${JSON.stringify(env)});
        await openTelemetry({ config: config.telemetry, headers: {}, onError() {} });
        console.log([...found].join());
        process.exit();`;
      const { stdout, stderr } = spawnSync(
        process.execPath,
        ["--input-type=module", "-e", program],
        {
          encoding: "utf8",
        },
      );
      assert.equal(stderr, "");
      return stdout.trim();
    };
    assert.equal(load({}), "");
    assert.equal(
      load({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_SDK_DISABLED: "true" }),
      "",
    );
    assert.match(load({ OTEL_TRACES_EXPORTER: "otlp" }), /@opentelemetry\/sdk-trace/);
  });
});

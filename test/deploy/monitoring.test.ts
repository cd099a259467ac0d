import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { findFreePort } from "../../packages/server/platform/ports.ts";
import { service } from "../harness.ts";
import { create, newSite, toCookies } from "../interface/site.ts";
import { poll } from "../poll.ts";

const deploy = join(import.meta.dirname, "../../deploy");
const folder = join(deploy, "prometheus");
const programs = { promtool: "/usr/bin/promtool", prometheus: "/usr/bin/prometheus" };
const missing = Object.values(programs).find((path) => !existsSync(path));
const skip =
  missing !== undefined && process.env["PROMETHEUS_TESTS"] !== "required"
    ? `${missing} was not found: install Debian's prometheus`
    : false;

interface Panel {
  title: string;
  type: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}

const rules = await readFile(join(folder, "alerts.yaml"), "utf8");
const dashboardText = await readFile(join(deploy, "grafana/avow.json"), "utf8");
const dashboard = JSON.parse(dashboardText) as {
  panels: Panel[];
  annotations: { list: { expr: string }[] };
};
const panels = dashboard.panels.filter(({ type }) => type !== "row");

function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(programs.promtool, args, {
    cwd: folder,
    encoding: "utf8",
  });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

/** Names of metrics and recorded series in PromQL. */
function listNames(text: string): string[] {
  return [...new Set(text.match(/\bavow[_:][a-z\d_:]*[a-z\d]/g))];
}

describe("deploy/prometheus/alerts.yaml", { skip }, () => {
  it("is accepted by promtool", () => {
    assert.match(run("check", "rules", "alerts.yaml"), /SUCCESS: \d+ rules found/);
  });

  it("passes its unit tests", () => {
    assert.match(run("test", "rules", "tests.yaml"), /SUCCESS/);
  });

  it("has a unit test in which each alert fires, and the guide explains each", async () => {
    const tests = await readFile(join(folder, "tests.yaml"), "utf8");
    const guide = await readFile(join(deploy, "../docs/guides/monitor.md"), "utf8");
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name);
    assert.ok(alerts.length > 15);
    for (const name of alerts) {
      const cases = tests
        .split(/- eval_time:/)
        .filter((one) => one.includes(`alertname: ${name}\n`));
      assert.ok(
        cases.some((one) => one.includes("exp_labels")),
        `${name} fires in no test`,
      );
      assert.ok(guide.includes(`\`${name}\``), `${name} is not in docs/guides/monitor.md`);
    }
  });
});

describe("each metric of alerts and dashboard", () => {
  it("is exposed by a running service, or recorded by a rule", async () => {
    const text = String((await service.fetch(paths.metrics)).body);
    const exposed = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const recorded = new Set([...rules.matchAll(/- record: (\S+)/g)].map(([, name]) => name));
    const named = listNames(rules.replaceAll(/^#.*$/gm, "") + dashboardText);
    assert.ok(named.length > 25, named.join());
    const unknown = named.filter(
      (name) =>
        !exposed.has(name) &&
        !exposed.has(name.replace(/_(?:bucket|count|sum)$/, "")) &&
        !recorded.has(name),
    );
    assert.deepEqual(unknown, []);
  });
});

describe("deploy/grafana/avow.json", () => {
  it("has panels beside each other, each with a query", () => {
    for (const { title, targets = [] } of panels)
      assert.ok(targets.length > 0 && targets.every(({ expr }) => expr !== ""), title);
    const cells = panels.flatMap(({ title, gridPos: { x, y, w, h } }) => {
      assert.ok(x + w <= 24, title);
      return Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`);
    });
    assert.equal(new Set(cells).size, cells.length, "panels overlap");
    assert.equal(new Set(panels.map(({ title }) => title)).size, panels.length);
  });
});

describe("a real Prometheus", { skip }, () => {
  const opened = new AsyncDisposableStack();
  after(() => opened.disposeAsync());

  interface Sample {
    metric: Record<string, string>;
    value: [number, string];
  }

  async function openPrometheus() {
    const storage = await mkdtemp(join(tmpdir(), "avow-prometheus-"));
    opened.defer(() => rm(storage, { recursive: true, force: true }));
    const port = await findFreePort("127.0.0.1");
    const target = new URL(service.url).host;
    const config = {
      global: { scrape_interval: "2s", evaluation_interval: "2s" },
      rule_files: [join(folder, "alerts.yaml")],
      scrape_configs: [{ job_name: "avow", static_configs: [{ targets: [target] }] }],
    };
    // JSON is YAML.
    await writeFile(join(storage, "prometheus.yml"), JSON.stringify(config));
    const child = spawn(
      programs.prometheus,
      [
        `--config.file=${join(storage, "prometheus.yml")}`,
        `--storage.tsdb.path=${join(storage, "tsdb")}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: "ignore" },
    );
    const ended = once(child, "exit");
    opened.defer(async () => {
      child.kill();
      await ended;
    });
    const get = async (
      path: string,
    ): Promise<{ status: string; error?: string; data?: { result: Sample[] } }> => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      return (await answer.json()) as Awaited<ReturnType<typeof get>>;
    };
    return {
      get,
      async query(expr: string): Promise<Sample[]> {
        const query = expr.replaceAll("$__rate_interval", "1m");
        const { status, error, data } = await get(
          `/api/v1/query?query=${encodeURIComponent(query)}`,
        );
        assert.equal(status, "success", `${expr}: ${error}`);
        return data?.result ?? [];
      },
    };
  }

  it("scrapes the service, and has an answer to the queries of the dashboard", async () => {
    const site = await newSite();
    const cookies = await create(site.token, "cookies", toCookies(site.id));
    const path = hrefOf("", paths.collect, {
      projectId: site.id,
      collection: "cookies",
      identifier: cookies,
    });
    const collect = () => service.fetch(path, { json: { accept: true } });
    assert.equal((await collect()).status, 201);
    const prometheus = await openPrometheus();
    await poll({
      async read() {
        await collect();
        const found = await prometheus.query("avow:collect_errors:ratio_rate5m").catch(() => []);
        return found[0]?.value[1];
      },
      isRight: (value) => value === "0",
      waitMs: 60_000,
      toMessage: (value) => `the ratio of errors is ${value}`,
    });
    // Nothing was backed up, and no job waits.
    const empty = new Set(["Last backup", "Background jobs that wait"]);
    for (const { title, targets = [] } of panels) {
      const results = await Promise.all(targets.map(({ expr }) => prometheus.query(expr)));
      if (!empty.has(title))
        assert.ok(
          results.every((one) => one.length > 0),
          title,
        );
    }
    for (const { expr } of dashboard.annotations.list) await prometheus.query(expr);
    const slow = await prometheus.query("avow:collect_slow:ratio_rate5m");
    assert.ok(Number(slow[0]?.value[1]) < 1);
  });
});

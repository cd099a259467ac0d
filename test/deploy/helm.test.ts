import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { parse } from "yaml";
import { loadConfig } from "../../packages/server/config/config.ts";
import type { Setting } from "../../packages/server/config/schema.ts";
import { settings } from "../../packages/server/config/settings.ts";
import service from "../../packages/server/package.json" with { type: "json" };
import {
  type Manifest,
  chart,
  find,
  listUnknownFields,
  render,
  runHelm,
  runKubectl,
  skip,
  toSet,
  validate,
} from "./helm.ts";
import { secrets, toEnvironment } from "./pod.ts";

const examples = ["minimal", "full"] as const;
const alerts = join(chart, "../../prometheus/alerts.yaml");
const guide = join(chart, "../../../docs/guides/kubernetes.md");
const valuesOf = (name: string) => join(chart, "ci", `${name}-values.yaml`);
const single = ["autoscaling.enabled=false", "replicas=1"];
const shared = ["persistence.accessMode=ReadWriteMany"];
const ingress = ["ingress.enabled=true"];

/** Options that neither example has. */
const variants: readonly (readonly [string, string[]])[] = [
  ["nodes that migrate at their start", ["migrations.enabled=false"]],
  [
    "three nodes on an existing claim",
    [
      "replicas=3",
      "persistence.existingClaim=files",
      "persistence.accessMode=ReadWriteMany",
      "podDisruptionBudget.enabled=false",
    ],
  ],
  [
    "one node with S3 and without a volume",
    ["persistence.enabled=false", "config.OBJECTS=s3", "config.S3_BUCKET=files", "drainSeconds=0"],
  ],
  [
    "an account of the cluster and a load balancer",
    ["serviceAccount.create=false", "serviceAccount.name=consent", "service.type=LoadBalancer"],
  ],
  [
    "a policy for any database and no internet",
    ["networkPolicy.enabled=true", "networkPolicy.internetPorts=null"],
  ],
];

async function assertValid(manifests: readonly Manifest[]): Promise<void> {
  for (const manifest of manifests) await validate(manifest);
  assert.deepEqual(await listUnknownFields(manifests), []);
  for (const manifest of manifests.filter(({ kind }) => /^(Deployment|Job|Pod)$/.test(kind)))
    await runKubectl(JSON.stringify(manifest), ...decode);
}

/** Decodes an object with pods as kubectl's own types, without a cluster. */
const decode = ["set", "image", "--local", "-f", "-", "*=other", "-o", "json"];

const pod = (manifests: readonly Manifest[], kind: "Deployment" | "Job") =>
  find(manifests, kind).spec.template.spec;

describe("the Helm chart", { skip }, () => {
  for (const name of examples)
    it(`passes helm lint --strict and the schemas of Kubernetes with the ${name} values`, async () => {
      await runHelm("lint", "--strict", chart, "--values", valuesOf(name));
      await assertValid(await render(name));
    });

  for (const [name, set] of variants)
    it(`passes the schemas of Kubernetes for ${name}`, async () => {
      await assertValid(await render("minimal", ...set));
    });

  it("is checked by schemas that reject a wrong type, a missing field and an unknown one", async () => {
    const change = async (edit: (deployment: Manifest) => void) => {
      const deployment = find(await render("minimal"), "Deployment");
      edit(deployment);
      return deployment;
    };
    const wrong = await change(({ spec }) => (spec.replicas = "2"));
    await assert.rejects(validate(wrong), /replicas/);
    await assert.rejects(runKubectl(JSON.stringify(wrong), ...decode), /replicas of type int32/);
    await assert.rejects(validate(await change(({ spec }) => delete spec.selector)), /selector/);
    const unknown = await change(({ spec }) => (spec.template.spec.restart = "Always"));
    assert.match((await listUnknownFields([unknown])).join(), /'"restart"' does not exist/);
  });

  it("has no values but those of the schema and of the table in its README", async () => {
    const values = parse(await readFile(join(chart, "values.yaml"), "utf8")) as object;
    const { properties } = JSON.parse(
      await readFile(join(chart, "values.schema.json"), "utf8"),
    ) as { properties: Record<string, { properties?: object }> };
    const readme = await readFile(join(chart, "README.md"), "utf8");
    const listed = [...readme.matchAll(/^\| `([^`]+)`/gm)].map(([, name = ""]) => name);
    const names = Object.entries(properties).flatMap(([name, { properties: inner = {} }]) => {
      const fields = Object.keys(inner);
      if (["global", "config", "secretEnv"].includes(name) || fields.length === 0) return [name];
      return fields.map((field) => `${name}.${field}`);
    });
    const expected = names.filter((name) => name !== "global");
    assert.deepEqual(listed.toSorted(), expected.toSorted());
    assert.deepEqual(
      Object.keys(values).toSorted(),
      Object.keys(properties)
        .filter((name) => name !== "global")
        .toSorted(),
    );
  });

  it("has the version of the service", async () => {
    const { appVersion } = parse(await readFile(join(chart, "Chart.yaml"), "utf8")) as {
      appVersion: string;
    };
    assert.equal(appVersion, service.version);
  });

  it("names each value that is missing", async () => {
    const error = await runHelm("template", "avow", chart).catch(String);
    assert.match(error, /'\/config'.*PUBLIC_URL/);
    assert.match(error, /'\/existingSecret'.*minLength/);
  });

  const rejected: [string[], RegExp][] = [
    [["config.PUBLIC_URL="], /\/config\/PUBLIC_URL.*minLength/],
    [["config.PUBLIK_URL=x"], /PUBLIK_URL.* not allowed/],
    [["config.SMTP_URL=smtp://a"], /SMTP_URL.* not allowed/],
    [["config.PORT=80"], /PORT.* not allowed/],
    [["config.DATA_DIR=/x"], /DATA_DIR.* not allowed/],
    [["config.LOG_LEVEL=loud"], /\/config\/LOG_LEVEL.*'debug'/],
    [["config.OBJECTS=true"], /\/config\/OBJECTS/],
    [["config.DATABASE_POOL_MAX=0"], /\/config\/DATABASE_POOL_MAX.*minimum/],
    [["config.DATABASE_POOL_MAX=many"], /\/config\/DATABASE_POOL_MAX.*pattern/],
    [["existingSecret="], /\/existingSecret.*minLength/],
    [["secretEnv.PUBLIC_URL.name=a", "secretEnv.PUBLIC_URL.key=b"], /PUBLIC_URL.* not allowed/],
    [["secretEnv.SECRET_KEY.name=a"], /\/secretEnv\/SECRET_KEY.*key/],
    [["replicas=two"], /\/replicas/],
    [["replicaCount=2"], /replicaCount.* not allowed/],
    [["persistence.accessMode=RWX"], /\/persistence\/accessMode/],
    [["persistence.size=20GB"], /\/persistence\/size.*pattern/],
    [["image.digest=sha256:12"], /\/image\/digest.*pattern/],
    [["image.pullPolicy=Sometimes"], /\/image\/pullPolicy/],
    [["service.port=70000"], /\/service\/port.*maximum/],
    [["ingress.hosts={a}"], /hosts.* not allowed/],
    [["podDisruptionBudget.maxUnavailable=half"], /\/podDisruptionBudget\/maxUnavailable/],
    [["serviceMonitor.interval=often"], /\/serviceMonitor\/interval.*pattern/],
    [["drainSeconds=-1"], /\/drainSeconds.*minimum/],
    [["replicas=2"], /Several nodes share the folder of imports/],
    [["autoscaling.enabled=true"], /Several nodes share the folder of imports/],
    [["persistence.enabled=false"], /Published files would be lost/],
    [["nameOverride=Foo_Bar"], /\/nameOverride.*pattern/],
    [["fullnameOverride=consent-"], /\/fullnameOverride.*pattern/],
    [
      [...shared, "autoscaling.enabled=true", "autoscaling.minReplicas=7"],
      /autoscaling\.minReplicas \(7\) is greater than autoscaling\.maxReplicas \(6\)/,
    ],
    [[...ingress, "config.PUBLIC_URL=https://[2001:db8::1]"], /host names.* not "2001:db8::1"/],
    [[...ingress, "config.PUBLIC_URL=https://192.0.2.1"], /host names.* not "192\.0\.2\.1"/],
    [[...ingress, "ingress.extraHosts={https://a.example}"], /host names.* not "https:/],
    [[...ingress, "ingress.extraHosts={consent.example}"], /names a host twice/],
    [[...ingress, "ingress.extraHosts={a.example,a.example}"], /names a host twice/],
  ];
  for (const [set, message] of rejected)
    it(`rejects ${set.join(" and ")}`, async () => {
      const args = ["template", "avow", chart, "--values", valuesOf("minimal"), ...toSet(set)];
      await assert.rejects(runHelm(...args), ({ stderr }: { stderr: string }) =>
        message.test(stderr.replaceAll("\n", " ")),
      );
    });

  it("gives nodes and hooks the same settings, and only those that the service has", async () => {
    for (const name of examples) {
      const manifests = await render(name);
      const [node] = pod(manifests, "Deployment").containers;
      const [migrate] = pod(manifests, "Job").containers;
      const [doctor] = find(manifests, "Pod").spec.containers;
      for (const { env, envFrom } of [migrate, doctor])
        assert.deepEqual({ env, envFrom }, { env: node.env, envFrom: node.envFrom });
      const known = new Set(Object.keys(settings));
      const unknown = (node.env as { name: string }[]).filter((one) => !known.has(one.name));
      assert.deepEqual(
        unknown.map((one) => one.name),
        name === "full" ? ["NODE_EXTRA_CA_CERTS"] : [],
      );
      for (const { name: setting, valueFrom } of node.env)
        if (setting in settings)
          assert.equal(
            (settings as Record<string, Setting>)[setting]?.secret ?? false,
            valueFrom !== undefined,
            setting,
          );
    }
  });

  it("writes numbers, booleans and dollar signs so that the service reads them as they were meant", async () => {
    const env = toEnvironment(pod(await render("full"), "Deployment"));
    const { config, secrets: read } = loadConfig({
      ...env,
      CDN: "purge",
      PURGE_URLS: "http://cache{path}",
    });
    assert.equal(config.imports.bytesMax, 21_474_836_480);
    assert.equal(config.http.trustProxy, 2);
    assert.deepEqual(
      [config.objects.kind, "pathStyle" in config.objects && config.objects.pathStyle],
      ["s3", true],
    );
    assert.deepEqual([config.demo, config.migratesAtStart], [false, false]);
    assert.equal(config.cdn.kind === "purge" && config.cdn.body, "$(HOSTNAME)");
    assert.equal(read.databaseUrl, secrets["avow-db-app"]?.["uri"]);
    assert.equal(read.logKeys, secrets["avow"]?.["EVIDENCE_LOG_KEYS"]);
    const off = await render("minimal", "ingress.enabled=true", "config.TRUST_PROXY=false");
    assert.equal(toEnvironment(pod(off, "Deployment"))["TRUST_PROXY"], "off");
    const usual = await render("minimal", "ingress.enabled=true");
    assert.equal(toEnvironment(pod(usual, "Deployment"))["TRUST_PROXY"], "1");
  });

  it("stops pods whose Secret lacks the database or a key", async () => {
    const { containers } = pod(await render("minimal"), "Deployment");
    const required = (containers[0].env as { name: string; valueFrom?: object }[]).filter(
      ({ valueFrom }) => valueFrom,
    );
    assert.deepEqual(
      required,
      ["DATABASE_URL", "EVIDENCE_LOG_KEYS", "SECRET_KEY"].map((key) => ({
        name: key,
        valueFrom: { secretKeyRef: { name: "avow", key } },
      })),
    );
  });

  it("runs every container without root, privileges and a writable root file system", async () => {
    for (const name of examples) {
      const manifests = await render(name);
      const pods = [
        pod(manifests, "Deployment"),
        pod(manifests, "Job"),
        find(manifests, "Pod").spec,
      ];
      for (const { securityContext, containers, automountServiceAccountToken } of pods) {
        assert.equal(securityContext.runAsNonRoot, true);
        assert.deepEqual(securityContext.seccompProfile, { type: "RuntimeDefault" });
        assert.equal(automountServiceAccountToken, false);
        assert.deepEqual(containers[0].securityContext, {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ["ALL"] },
          readOnlyRootFilesystem: true,
        });
        const mounts = (containers[0].volumeMounts as { mountPath: string }[]).slice(0, 2);
        assert.deepEqual(
          mounts.map(({ mountPath }) => mountPath),
          ["/data", "/tmp"],
        );
      }
    }
  });

  it("runs the doctor of helm test on the claim if several pods can mount it", async () => {
    const claimOf = async (...set: string[]) =>
      find(await render("minimal", ...set), "Pod").spec.volumes[0].persistentVolumeClaim?.claimName;
    assert.equal(await claimOf(...shared), "avow-data");
    assert.equal(await claimOf(), undefined);
  });

  it("replaces nodes one by one on a shared volume, and stops the only one first otherwise", async () => {
    const strategyOf = async (...set: string[]) =>
      find(await render("minimal", ...set), "Deployment").spec.strategy.type;
    assert.equal(await strategyOf(), "Recreate");
    assert.equal(await strategyOf("persistence.accessMode=ReadWriteMany"), "RollingUpdate");
    const { spec } = find(await render("full"), "Deployment");
    assert.deepEqual(spec.strategy.rollingUpdate, { maxSurge: 1, maxUnavailable: 0 });
    assert.equal(spec.replicas, undefined, "the autoscaler decides");
  });

  it("sends requests and metrics to the nodes only, and scrapes with the token", async () => {
    const manifests = await render("full");
    const { metadata, spec } = find(manifests, "Deployment").spec.template;
    const selects = (selector: Record<string, string>, labels: Record<string, string>) =>
      Object.entries(selector).every(([name, value]) => labels[name] === value);
    const backend = find(manifests, "Service");
    const { selector, ports } = backend.spec;
    assert.ok(selects(selector, metadata.labels));
    assert.ok(!selects(selector, find(manifests, "Job").spec.template.metadata.labels));
    assert.ok(!selects(selector, find(manifests, "Pod").metadata.labels));
    assert.deepEqual(
      [ports[0].targetPort, spec.containers[0].ports],
      ["http", [{ name: "http", containerPort: 8080 }]],
    );
    const budget = find(manifests, "PodDisruptionBudget").spec;
    assert.ok(selects(budget.selector.matchLabels, metadata.labels));
    const monitor = find(manifests, "ServiceMonitor").spec;
    assert.ok(selects(monitor.selector.matchLabels, backend.metadata.labels));
    assert.deepEqual(monitor.endpoints[0].authorization.credentials, {
      name: "avow",
      key: "METRICS_TOKEN",
    });
    const [, job] = /up\{job="(.+)"\}/.exec(await readFile(alerts, "utf8")) ?? [];
    assert.deepEqual(monitor.endpoints[0].relabelings, [{ targetLabel: "job", replacement: job }]);
    const rules = find(manifests, "Ingress").spec.rules as { host: string }[];
    assert.deepEqual(
      rules.map(({ host }) => host),
      ["consent.example", "cdn.example"],
    );
  });

  it("is documented with manifests that Kubernetes and the Prometheus operator accept", async () => {
    const text = await readFile(guide, "utf8");
    const blocks = [...text.matchAll(/^```(\w+)\n([^]*?)^```/gm)];
    const cronJob = blocks.find(([, , block = ""]) => block.includes("kind: CronJob"))?.[2] ?? "";
    const pipe = blocks.find(([, , block = ""]) => block.includes("kind: PrometheusRule"))?.[2];
    const print = ["-c", pipe?.replace(/\| kubectl .*/, "") ?? ""];
    const { stdout } = await promisify(execFile)("sh", print, { cwd: join(chart, "../../..") });
    const rules = parse(stdout) as Manifest;
    assert.deepEqual(rules.spec, parse(await readFile(alerts, "utf8")));
    const manifests = [parse(cronJob) as Manifest, rules];
    for (const manifest of manifests) await validate(manifest);
    assert.deepEqual(await listUnknownFields(manifests), []);
    const { spec } = manifests[0]?.spec.jobTemplate.spec.template ?? {};
    const { metadata } = find(await render("minimal"), "PersistentVolumeClaim");
    assert.equal(spec.volumes[0].persistentVolumeClaim.claimName, metadata.name);
  });

  it("explains after an installation how to claim and check it", async () => {
    const notes = async (...args: string[]) =>
      runHelm("install", "avow", chart, "--dry-run=client", "--values", valuesOf("full"), ...args);
    const text = await notes(...toSet(single));
    assert.match(text, /logs deployment\/consent \| grep claim/);
    assert.match(text, /3\. Check .*\n.*default exec deployment\/consent -- avow doctor/);
    assert.doesNotMatch(text, /No ingress is enabled/);
  });
});

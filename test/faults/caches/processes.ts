import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pollUntil } from "../../interface/one-site.ts";

// These tests must not be skipped in CI, which installs the caches.
const isRequired = process.env["CACHE_TESTS"] === "required";

/** The reason to skip a test; false when the program is installed. */
export function skipWithout(program: string, debian: string): string | false {
  if (isRequired || existsSync(program)) return false;
  return `${program} is not installed (Debian: ${debian})`;
}

/**
 * Starts a cache or a proxy in the foreground and waits until its port answers; disposing stops it. @throws Error with
 * its output when it exits before
 */
export async function startCache(
  program: string,
  args: readonly string[],
  port: number,
  env?: NodeJS.ProcessEnv,
): Promise<AsyncDisposable> {
  const child = spawn(program, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream
      .setEncoding("utf8")
      .on("data", (text: string) => (output = (output + text).slice(-10_000)));
  const ended = once(child, "exit");
  try {
    await pollUntil(`the port of ${program}`, async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended: ${output}`);
      return (await isOpen(port)) ? true : undefined;
    });
  } catch (error) {
    await end(child, ended);
    throw error;
  }
  return { [Symbol.asyncDispose]: () => end(child, ended) };
}

export const nginx = "/usr/sbin/nginx";

/** Starts nginx with a `server` block that listens on `port`; its files are in `folder`. */
export async function startNginx(
  port: number,
  folder: string,
  server: string,
): Promise<AsyncDisposable> {
  const path = join(folder, "nginx.conf");
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  await writeFile(
    path,
    `daemon off; user root; worker_processes 1; pid ${folder}/pid; error_log ${folder}/log;
    events {}
    http { access_log off; ${paths.map((one) => `${one}_temp_path ${folder}/${one};`).join(" ")}
    types {} default_type application/octet-stream;
    ${server} }`,
  );
  return startCache(nginx, ["-c", path, "-p", folder, "-e", join(folder, "log")], port);
}

async function end(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode === null) child.kill("SIGTERM");
  await ended;
}

async function isOpen(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2_000) });
    return true;
  } catch {
    return false;
  }
}

import { type Browser, type BrowserServer, chromium } from "playwright-core";
import { ScanError } from "../network/errors.ts";
import type { ScanProxy } from "../network/proxy.ts";
import { listProcesses, readTreeBytes } from "./memory.ts";

export interface BrowserOptions {
  executablePath: string;
  proxy: ScanProxy;
  /** Chromium's own sandbox, which protects the machine from the scanned site. */
  hasSandbox: boolean;
  memoryBytesMax: number;
  /** Called once when `memoryBytesMax` is exceeded, before the processes are killed. */
  onExceeded: () => void;
}

export interface ScanBrowser extends AsyncDisposable {
  browser: Browser;
  version: string;
}

const LAUNCH_MS = 30_000;
const WATCH_MS = 500;
const CLOSE_MS = 5_000;
const HEAP_MIB_MAX = 512;

/** No way to the network but the proxy: no QUIC, no WebRTC over UDP, no DNS, no requests of Chromium itself. */
const networkArguments = [
  "--disable-quic",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
  "--dns-prefetch-disable",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--disable-sync",
  "--no-pings",
];

/** Starts a Chromium that ends when its memory exceeds the limit. @throws ScanError if it does not start */
export async function openBrowser(options: BrowserOptions): Promise<ScanBrowser> {
  const { proxy } = options;
  const server = await launch(options, {
    server: proxy.server,
    username: proxy.username,
    password: proxy.password,
  });
  const pid = server.process().pid;
  let isWatching = true;
  const watch = async (): Promise<void> => {
    const bytes = pid === undefined ? undefined : await readTreeBytes(pid);
    if (!isWatching || bytes === undefined) return;
    if (bytes > options.memoryBytesMax) {
      isWatching = false;
      // First, so that what fails for lack of a browser is known to fail by the limit.
      options.onExceeded();
      await kill(server, pid);
      return;
    }
    timer = setTimeout(() => void watch(), WATCH_MS);
  };
  let timer = setTimeout(() => void watch(), WATCH_MS);
  const close = async (): Promise<void> => {
    isWatching = false;
    clearTimeout(timer);
    const killing = setTimeout(() => void kill(server, pid), CLOSE_MS);
    try {
      await server.close();
    } finally {
      clearTimeout(killing);
    }
  };
  try {
    const browser = await chromium.connect(server.wsEndpoint(), { timeout: LAUNCH_MS });
    return { browser, version: browser.version(), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function launch(
  { executablePath, hasSandbox }: BrowserOptions,
  proxy: { server: string; username: string; password: string },
): Promise<BrowserServer> {
  try {
    return await chromium.launchServer({
      executablePath,
      proxy,
      host: "127.0.0.1",
      chromiumSandbox: hasSandbox,
      timeout: LAUNCH_MS,
      args: [...networkArguments, `--js-flags=--max-old-space-size=${HEAP_MIB_MAX}`],
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    if (hasSandbox && /sandbox/i.test(text))
      throw new ScanError(
        "Chromium does not start with its sandbox. Run as a user other than root, where user namespaces are allowed. For sites that you trust, turn it off: CHROMIUM_SANDBOX=off, or avow scan --no-sandbox.",
        { cause: error },
      );
    const [, reason = ""] = /\[err\] (.*)/.exec(text) ?? [];
    throw new ScanError(`Chromium does not start: ${executablePath}. ${reason}`.trim(), {
      cause: error,
    });
  }
}

/** Kills the whole tree: a renderer can outlive the first process. */
async function kill(server: BrowserServer, pid: number | undefined): Promise<void> {
  const all = pid === undefined ? [] : await listProcesses(pid);
  await server.kill().catch(() => undefined);
  for (const one of all) {
    try {
      process.kill(one, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}

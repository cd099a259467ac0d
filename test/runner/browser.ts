import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

/** Debian's packages: nothing here downloads a browser. The headless shell saves a quarter of the time. */
const installed = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** The browser that tests use. */
export const executablePath =
  process.env["CHROMIUM_PATH"] ?? installed.find((path) => existsSync(path)) ?? "/usr/bin/chromium";

/** The browser of a test run; each worker connects to it. */
export interface RunBrowser extends AsyncDisposable {
  url: string;
}

/** Starts Chromium; undefined where there is none. */
export async function openRunBrowser(): Promise<RunBrowser | undefined> {
  if (!existsSync(executablePath)) return undefined;
  const server = await chromium.launchServer({
    executablePath,
    args: ["--no-sandbox", "--disable-background-networking"],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  return { url: server.wsEndpoint(), [Symbol.asyncDispose]: () => server.close() };
}

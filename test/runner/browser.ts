import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

/** Debian's by default: nothing here downloads a browser. */
export const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";

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

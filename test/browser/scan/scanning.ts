import { once } from "node:events";
import { existsSync } from "node:fs";
import { type RequestListener, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type ScanOptions, scanSite } from "@avow/scanner";
import type { Phase, ScanResult } from "@avow/scanner/result";
import { executablePath } from "../../runner/browser.ts";

const isRequired = process.env["BROWSER_TESTS"] === "required";
export const skip =
  isRequired || existsSync(executablePath)
    ? false
    : `no browser at ${executablePath} (CHROMIUM_PATH)`;

/** Root cannot use Chromium's sandbox. */
const hasSandbox = process.getuid?.() !== 0;

/** Scans a site of a test. */
export function scan(
  options: Pick<ScanOptions, "url" | "resolve"> & Partial<ScanOptions>,
): Promise<ScanResult> {
  return scanSite({ executablePath, hasSandbox, isInsecure: true, pageSeconds: 10, ...options });
}

/** A server on an address of the loopback network. */
export async function listen(
  address: string,
  listener: RequestListener,
): Promise<{ port: number } & AsyncDisposable> {
  const server = createServer(listener).listen(0, address);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Answers every request with a page. */
export const sendPage =
  (html: string): RequestListener =>
  (_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(html);
  };

/** The phase of a result with this name. */
export function phaseOf({ phases }: ScanResult, name: Phase["name"]): Phase {
  const found = phases.find((phase) => phase.name === name);
  if (!found) throw new Error(`The result has no phase ${name}.`);
  return found;
}

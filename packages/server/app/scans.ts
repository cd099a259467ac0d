import { ScanError } from "@avow/scanner/errors";
import { findChromium } from "@avow/scanner/installed";
import type { Http } from "../http/http.ts";
import { findLivePublication } from "../modules/publish/publications/reads.ts";
import { startScanJobs } from "../modules/scans/jobs.ts";
import type { ScansApp } from "../modules/scans/ports.ts";
import { registerScanRoutes } from "../modules/scans/routes.ts";
import { listHolders } from "../modules/vault/members/holders.ts";
import type { Config } from "../config/config.ts";
import { openResolver } from "../platform/outbound/resolver.ts";

/** Opens scans: their routes, and the worker where there is a Chromium. */
export async function openScans(
  opened: AsyncDisposableStack,
  http: Http,
  shared: Pick<ScansApp, "db" | "jobs" | "now" | "log" | "outbox"> & { config: Config },
): Promise<void> {
  const { config } = shared;
  const stopping = new AbortController();
  opened.defer(() => stopping.abort());
  const scans: ScansApp = {
    ...shared,
    chromium: toChromium(config.scans.chromiumPath),
    // Loads the driver of Chromium for the first scan only.
    scanSite: async (options) => (await import("@avow/scanner")).scanSite(options),
    stopping: stopping.signal,
    resolve: openResolver({ allowed: config.webhooks.allowedNetworks }),
    findLivePublication,
    listPublishers: async (db, projectId) => {
      const holders = await listHolders(db, [projectId], "publish");
      return [...(holders.get(projectId) ?? [])];
    },
  };
  registerScanRoutes(http, scans);
  await startScanJobs(scans);
}

function toChromium(path: string | undefined): ScansApp["chromium"] {
  try {
    return { path: findChromium(path) };
  } catch (error) {
    if (error instanceof ScanError) return { missing: error.message };
    throw error;
  }
}

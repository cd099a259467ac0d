import type { IncomingHttpHeaders } from "node:http";
import maxmind, { type CityResponse, type Reader } from "maxmind";
import type { Region } from "@avow/contract/regions";
import { StartError } from "../start-error.ts";
import { type RegionHeaders, toRegion } from "./headers.ts";

/** The parts of a request that name its region. */
interface RegionRequest {
  headers: IncomingHttpHeaders;
  /** The address of the visitor. */
  ip: string;
  /** The connection, from the visitor or from a proxy. */
  socket: { remoteAddress?: string | undefined };
}

/** Finds the regions of visitors, without any request to others. */
export interface Regions {
  /** The region of a request; undefined if unknown. */
  findRegion(request: RegionRequest): Region | undefined;
}

/**
 * Reads regions from headers of a trusted proxy, otherwise from an MMDB file (MaxMind DB file format 2.0), which is
 * reloaded when it changes.
 * @throws StartError when the file cannot be read
 */
export async function openRegions({
  headers: names,
  database,
}: {
  headers: RegionHeaders | undefined;
  database: string | undefined;
}): Promise<Regions> {
  const reader = database === undefined ? undefined : await openDatabase(database);
  return {
    findRegion(request) {
      const { headers, ip, socket } = request;
      // Fastify takes the visitor's address from a header only if it trusts the proxy.
      const isProxied = ip !== socket.remoteAddress;
      const named =
        names && isProxied && toRegion(headers[names.country], headers[names.subdivision ?? ""]);
      return named || (reader && lookUp(reader, ip));
    },
  };
}

async function openDatabase(path: string): Promise<Reader<CityResponse>> {
  try {
    return await maxmind.open<CityResponse>(path, {
      watchForUpdates: true,
      watchForUpdatesNonPersistent: true,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`REGION_DATABASE: the file ${path} cannot be read: ${reason}`);
  }
}

function lookUp(reader: Reader<CityResponse>, ip: string): Region | undefined {
  const found = reader.get(ip);
  return toRegion(found?.country?.iso_code, found?.subdivisions?.[0]?.iso_code);
}

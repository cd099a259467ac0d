import type { Vendor } from "@avow/contract/configuration";
import { matchesHost, matchesName } from "../catalogue/patterns.ts";
import type { Sighting, StoredSighting } from "./attribute.ts";

/** Whether a vendor of the configuration declares a service: by its name, title, hosts or storage. */
export function declares(vendor: Vendor, sighting: Sighting): boolean {
  const names = new Set([sighting.id, sighting.title.toLowerCase()]);
  if (names.has(vendor.name.toLowerCase())) return true;
  if (vendor.title !== undefined && names.has(vendor.title.toLowerCase())) return true;
  return (
    [...sighting.hosts.keys()].some((host) => declaresHost(vendor, host)) ||
    [...sighting.stored.values()].some((stored) => declaresStored(vendor, stored))
  );
}

/** Whether a vendor lists a host, whatever the path. */
export function declaresHost(vendor: Vendor, host: string): boolean {
  const hosts = vendor.hosts ?? [];
  return hosts.some((pattern) => matchesHost(pattern.replace(/\/.*$/, ""), host, "/"));
}

export function declaresStored(
  vendor: Vendor,
  { name, kind }: Pick<StoredSighting, "name" | "kind">,
): boolean {
  const items = vendor.storage ?? [];
  return items.some((item) => (item.kind ?? "cookie") === kind && matchesName(item.name, name));
}

import type { Vendor, VendorEntry } from "./configuration.ts";

/** Whether a vendor is entered with its name, and not by its id alone. */
export function isVendor(entry: VendorEntry): entry is Vendor {
  return typeof entry !== "string" && entry.name !== undefined;
}

/** The id of a vendor that is entered by its id alone; undefined for others. */
export function vendorIdOf(entry: VendorEntry): string | undefined {
  if (typeof entry === "string") return entry;
  if (isVendor(entry)) return undefined;
  const id = entry._id ?? entry.id;
  return typeof id === "number" || (typeof id === "string" && id !== "") ? String(id) : undefined;
}

import type { StoredItem } from "@avow/contract/configuration";
import type { Device } from "../../banner/features.ts";
import { toCookieOptions } from "../../core/cookie-options.ts";
import { type Vendor, listVendors } from "../../core/site.ts";
import { deleteCookies } from "./cookies.ts";
import { isPattern, toMatcher } from "./patterns.ts";

/** Prefix of the widget's own keys and databases. */
const OWN = "avow";
/** Limit of keys in storage, and of databases, that are compared with the declared names. */
const KEYS_MAX = 10_000;

type Kind = NonNullable<StoredItem["kind"]>;
type CleanedParts = Parameters<Device["cleanDevice"]>[0];

/**
 * Deletes what refused vendors declare to store, except what another vendor that may run declares as well. It is repeated
 * at the next loads (`$$clean`), because a tag that runs may write again until its page is left.
 */
export async function cleanDevice(parts: CleanedParts): Promise<void> {
  const { choices, cookies, wanted } = parts;
  choices.refresh();
  const { $$clean = 0 } = choices.memory;
  if (Date.now() > $$clean) choices.keep({ $$clean: undefined });
  const own = toCookieOptions(wanted, cookies);
  const ownNames = new Set([own.choices, own.authorized, own.answeredList]);
  const { refused, running } = sortVendors(parts);
  const toDeleted = (kind: Kind): Deleted => {
    const items = listItems(refused, kind);
    const names = items.map(({ name }) => name);
    const [matches, isKept] = [
      toMatcher(names),
      toMatcher(listItems(running, kind).map(({ name }) => name)),
    ];
    const isDeleted = (name: string): boolean =>
      matches(name) && !isKept(name) && !ownNames.has(name) && !name.startsWith(OWN);
    return { items, names, isDeleted };
  };
  // Each kind may be blocked on its own.
  attempt(() => {
    const { items, isDeleted } = toDeleted("cookie");
    deleteCookies(items, isDeleted);
  });
  attempt(() => deleteKeys(localStorage, toDeleted("localStorage")));
  attempt(() => deleteKeys(sessionStorage, toDeleted("sessionStorage")));
  await deleteDatabases(toDeleted("indexedDB")).catch(() => undefined);
}

interface Deleted {
  items: readonly StoredItem[];
  names: readonly string[];
  isDeleted: (name: string) => boolean;
}

/** The vendors that the visitor refused, and those of any configuration of the site that may run. */
function sortVendors({
  site,
  cookies,
  choices,
}: CleanedParts): Record<"refused" | "running", Vendor[]> {
  const asked = listVendors(cookies);
  const { memory, isAccepted } = choices;
  const isRunning = ({ name, required }: Vendor): boolean =>
    required || (asked.has(name) ? isAccepted(name) : memory[name] === true);
  const others = (site.cookies ?? []).flatMap((one) => [...listVendors(one).values()]);
  const running = [...asked.values(), ...others].filter(isRunning);
  const refused = [...asked.values()].filter(
    (vendor) => memory[vendor.name] === false && !isRunning(vendor),
  );
  return { refused, running };
}

function listItems(vendors: readonly Vendor[], wanted: Kind): StoredItem[] {
  return vendors.flatMap(({ storage = [] }) =>
    storage.filter(({ kind = "cookie" }) => kind === wanted),
  );
}

function deleteKeys(storage: Storage, { names, isDeleted }: Deleted): void {
  if (!names[0]) return;
  for (const key of Object.keys(storage).slice(0, KEYS_MAX))
    if (isDeleted(key)) storage.removeItem(key);
}

/** A database that a tag has open is deleted when it is closed, at the latest with the page. */
async function deleteDatabases({ names, isDeleted }: Deleted): Promise<void> {
  if (!names[0]) return;
  // Firefox lists databases since version 126.
  const listed = "databases" in indexedDB ? await indexedDB.databases() : [];
  const present = listed.slice(0, KEYS_MAX).flatMap(({ name }) => name ?? []);
  const found = new Set([...names.filter((name) => !isPattern(name)), ...present]);
  await Promise.all([...found].filter(isDeleted).map(deleteDatabase));
}

function deleteDatabase(name: string): Promise<unknown> {
  return new Promise((resolve) => {
    const deleting = indexedDB.deleteDatabase(name);
    Object.assign(deleting, { onsuccess: resolve, onerror: resolve, onblocked: resolve });
  });
}

function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // Storage is blocked.
  }
}

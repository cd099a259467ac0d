import type { Kind } from "./setting-kinds.ts";

export const bucket: Kind<string> = {
  // Longer, and with underscores, as Google Cloud Storage has them.
  expected: "a bucket's name of 3 to 222 lower-case letters, digits, dots, hyphens and underscores",
  read: (value) => (/^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/.test(value) ? value : undefined),
};

export const region: Kind<string> = {
  expected: "a region such as eu-central-1",
  read: (value) => (/^[a-z0-9-]{1,64}$/.test(value) ? value : undefined),
};

/** Read as what can be put before a key: empty, or with one slash at its end. */
export const keyPrefix: Kind<string> = {
  expected: "segments of letters, digits, dots, hyphens and underscores between slashes",
  read: (value) => {
    const path = value.replace(/^\/+|\/+$/g, "");
    if (path === "") return "";
    const segments = path.split("/");
    const isPlain = segments.every((one) => /^[\w.-]+$/.test(one) && !/^\.+$/.test(one));
    return isPlain && path.length <= 256 ? `${path}/` : undefined;
  },
};

const CACHES_MAX = 32;
const HEADERS_MAX = 16;
const ADDRESS_LENGTH_MAX = 2_048;
/** What a request's length and end are told by is not for settings. */
const reservedHeaders = new Set(["connection", "content-length", "transfer-encoding", "expect"]);

export const distributionId: Kind<string> = {
  expected: "a distribution's id such as E2QWRUHAPOMQZL",
  read: (value) => (/^[A-Z0-9]{5,32}$/.test(value) ? value : undefined),
};

/** Addresses with `{path}`, `{url}` or `{host}` in them. */
export const purgeAddresses: Kind<readonly string[]> = {
  expected: "http or https addresses such as http://varnish:6081{path}, separated by commas",
  read: (value) => {
    const addresses = value.split(",").map((part) => part.trim());
    const isFit = addresses.length <= CACHES_MAX && addresses.every(isPurgeAddress);
    return isFit ? addresses : undefined;
  },
};

/** What is secret belongs into a header, so an address may be shown. */
function isPurgeAddress(address: string): boolean {
  const example = address
    .replaceAll("{url}", "https://cdn.example/a.json")
    .replaceAll("{path}", "/a.json")
    .replaceAll("{host}", "cdn.example");
  const url = URL.parse(example);
  if (!url || /[{}\s]/.test(example) || address.length > ADDRESS_LENGTH_MAX) return false;
  return /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

/** A JSON object of strings. */
export const purgeHeaders: Kind<Readonly<Record<string, string>>> = {
  expected: 'a JSON object of headers such as {"Fastly-Key": "…"}',
  read: (value) => {
    const entries = Object.entries(toObject(value) ?? { "": "" });
    if (entries.length > HEADERS_MAX || !entries.every(isHeader)) return undefined;
    return Object.fromEntries(entries.map(([name, text]) => [name, String(text)]));
  },
};

function isHeader([name, text]: [string, unknown]): boolean {
  const isName = /^[\w!#$%&'*+.^`|~-]{1,128}$/.test(name);
  const isFree = !reservedHeaders.has(name.toLowerCase());
  return isName && isFree && typeof text === "string" && /^[\x20-\x7e]{0,4096}$/.test(text);
}

function toObject(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { isObject } from "@avow/contract/json";
import { isLoopback } from "../platform/networks.ts";
import { toNetwork } from "../platform/outbound/networks.ts";

/** The accepted texts of a setting and their values. */
export interface Kind<T> {
  /** Completes "expected …" in errors. */
  readonly expected: string;
  /** The accepted values in help and docs, where `expected` says more than needed. */
  readonly values?: string;
  /** An explanation of a default for help and docs. */
  readonly explain?: (text: string) => string;
  /** Returns undefined for a text that is not accepted. */
  readonly parse: (text: string) => T | undefined;
}

/** Another value for each text that `kind` accepts; undefined rejects it after all. */
export function convert<T, U>(kind: Kind<T>, toValue: (value: T) => U | undefined): Kind<U> {
  const parse = (given: string): U | undefined => {
    const value = kind.parse(given);
    return value === undefined ? undefined : toValue(value);
  };
  return { ...kind, parse };
}

export function text(
  expected: string,
  lengthMax: number,
  accepts: RegExp | ((value: string) => boolean) = /^[^\0]+$/,
): Kind<string> {
  const isAccepted = accepts instanceof RegExp ? (value: string) => accepts.test(value) : accepts;
  const parse = (value: string): string | undefined =>
    value.length <= lengthMax && isAccepted(value) ? value : undefined;
  return { expected, parse };
}

/** `lengthMin` to 1024 characters of ASCII without spaces. */
export function visible(noun: string, lengthMin: number): Kind<string> {
  const pattern = new RegExp(`^[!-~]{${lengthMin},}$`);
  return text(`${noun} of ${lengthMin} to 1024 visible characters`, 1_024, pattern);
}

/** Read as an absolute path. */
export function path(expected: string): Kind<string> {
  return convert(text(expected, 4_096), (value) => resolve(value));
}

export function integer(min: number, max: number, unit = ""): Kind<number> {
  const expected = `a whole number${unit && ` of ${unit}`} from ${min} to ${max}`;
  const kind = convert(text(expected, 15, /^\d+$/), (value) =>
    Number(value) >= min && Number(value) <= max ? Number(value) : undefined,
  );
  return { ...kind, values: `${min} to ${max} ${unit}`.trimEnd() };
}

export function bytes(min: number, max: number): Kind<number> {
  return {
    ...integer(min, max, "bytes"),
    values: `${min} to ${max} bytes (${toSizeText(max)})`,
    explain: (value) => toSizeText(Number(value)),
  };
}

const WORKERS_MAX = 64;
const workerCount = integer(1, WORKERS_MAX);

/** Read as a number; `auto` respects the limits of a container. */
export const workers: Kind<number> = {
  expected: `auto or ${workerCount.expected}`,
  values: `auto, 1 to ${WORKERS_MAX}`,
  parse: (value) =>
    value === "auto" ? Math.min(WORKERS_MAX, availableParallelism()) : workerCount.parse(value),
};

const unitsMs = { hours: 3_600_000, minutes: 60_000 };

/** Read as milliseconds. */
export function duration(min: number, max: number, unit: keyof typeof unitsMs): Kind<number> {
  return convert(integer(min, max, unit), (value) => value * unitsMs[unit]);
}

export function oneOf<const T extends string>(choices: readonly T[]): Kind<T> {
  const values = choices.join(", ");
  const parse = (value: string): T | undefined => choices.find((choice) => choice === value);
  return { expected: `one of ${values}`, values, parse };
}

/** Read as whether it is `on`. */
export function flag(on: string, off: string): Kind<boolean> {
  return convert(oneOf([on, off]), (value) => value === on);
}

interface ListOptions {
  countMax?: number;
  /** Whether empty items are allowed; they are skipped. */
  allowsBlanks?: boolean;
}

/** Values of `kind`, separated by commas. */
export function list<T>(
  kind: Kind<T>,
  { countMax = Infinity, allowsBlanks = true }: ListOptions = {},
): Kind<T[]> {
  const parse = (value: string): T[] | undefined => {
    const parts = value.split(",").map((part) => part.trim());
    const items = (allowsBlanks ? parts.filter((part) => part !== "") : parts).map(kind.parse);
    const isAccepted = items.length <= countMax && items.every((item) => item !== undefined);
    return isAccepted ? items : undefined;
  };
  return { expected: `${kind.expected}, separated by commas`, parse };
}

/** Read without duplicates. */
export function someOf<const T extends string>(choices: readonly T[]): Kind<T[]> {
  const kind = convert(list(oneOf(choices)), (given) => [...new Set(given)]);
  return { ...kind, expected: `any of ${choices.join(", ")}, separated by commas` };
}

/** A JSON object with at most `countMax` fields, each of which `parseField` accepts. */
export function record<T>(
  expected: string,
  countMax: number,
  parseField: (name: string, value: unknown) => T | undefined,
): Kind<Readonly<Record<string, T>>> {
  const parse = (json: string): Readonly<Record<string, T>> | undefined => {
    const fields = parseJson(json);
    if (!isObject(fields) || Object.keys(fields).length > countMax) return undefined;
    const parsed = Object.entries(fields).map(([name, value]) => [name, parseField(name, value)]);
    const isAccepted = parsed.every(([, value]) => value !== undefined);
    return isAccepted ? (Object.fromEntries(parsed) as Record<string, T>) : undefined;
  };
  return { expected, parse };
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

export const host = text(
  "an IP address or a host name",
  253,
  (value) => isIP(value) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value),
);

export const databaseUrl = text(
  "postgresql://user:password@host:port/database",
  4_096,
  /^postgres(ql)?:\/\/\S+$/,
);

/** Read without a slash at its end. */
export const webUrl: Kind<string> = {
  expected: "an http or https address without a query, such as https://consent.example.com",
  parse: (value) => (/[?#]/.test(value) ? undefined : parseHttp(value)?.href.replace(/\/+$/, "")),
};

/** Not over plain HTTP, where anybody on the way could answer: what is signed is not verified here. */
export const authorityUrl: Kind<string> = {
  expected:
    "an https address without a query, such as https://tsa.example/tsr, or an http address of this machine",
  parse: (value) => {
    const url = /[?#]/.test(value) || value.length > 2_048 ? undefined : parseHttp(value);
    const isHere = url && isLoopback(url.hostname);
    return isHere || url?.protocol === "https:" ? url.href : undefined;
  },
};

export const origin: Kind<string> = {
  expected: "origins such as https://admin.example.com",
  parse: (value) => (parseHttp(value)?.origin === value ? value : undefined),
};

/** An origin, or a whole URL, written as browsers write it. */
export const redirectTarget: Kind<string> = {
  expected: "addresses such as https://admin.example.com/signed-in, or origins",
  parse: (value) => {
    const url = parseHttp(value);
    return url && url.hash === "" && [url.href, url.origin].includes(value) ? value : undefined;
  },
};

/** An http or https URL without user and password. */
export function parseHttp(value: string): URL | undefined {
  const url = URL.parse(value);
  const isHttp = url && /^https?:$/.test(url.protocol) && url.username + url.password === "";
  return isHttp ? url : undefined;
}

const proxyNames = new Set(["loopback", "linklocal", "uniquelocal"]);
const proxies = list<string>(
  {
    expected: "addresses such as 10.0.0.0/8",
    parse: (value) => (proxyNames.has(value) || isAddressRange(value) ? value : undefined),
  },
  { allowsBlanks: false },
);

const hops = integer(1, 16);

/** Trusted proxies: none, a number of hops, or addresses. `on` is read as itself, since it deserves a warning. */
export const trustProxy: Kind<false | "on" | number | string[]> = {
  expected: `off, a number of proxies from 1 to 16, or ${proxies.expected}`,
  parse: (value) => {
    if (value === "off") return false;
    return value === "on" ? value : (hops.parse(value) ?? proxies.parse(value));
  },
};

function isAddressRange(value: string): boolean {
  const [address = "", bits, ...rest] = value.split("/");
  const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  // A range of all addresses would let clients choose theirs.
  const inBounds = bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= bitsMax);
  return bitsMax > 0 && inBounds && rest.length === 0;
}

export const networks = list({
  expected: "networks such as 10.0.0.0/8 or fd00::/8",
  parse: toNetwork,
});

function toSizeText(size: number): string {
  const power = [4, 3, 2, 1].find((one) => size % 1_024 ** one === 0) ?? 0;
  return `${size / 1_024 ** power} ${["bytes", "KiB", "MiB", "GiB", "TiB"][power]}`;
}

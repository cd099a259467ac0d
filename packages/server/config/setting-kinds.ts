import { isIP } from "node:net";
import { type Network, toNetwork } from "../platform/outbound/networks.ts";

/** How a setting's text becomes its value; `expected` completes "expected …" in errors. */
export interface Kind<T> {
  expected: string;
  /** The value, or undefined where the text is not what is expected. */
  read(text: string): T | undefined;
}

export interface Setting<T = unknown> {
  kind: Kind<T>;
  /** The text that stands for the variable where it is not set. */
  default?: string;
  /** What help shows for the default where there is no fixed one. */
  defaultShown?: string;
  help: string;
  /** Never shown, logged or echoed in an error. */
  secret?: true;
}

/** A note's signatures are bounded, and each tree is shown to all. */
const WITNESSES_MAX = 16;
const proxyNames = new Set(["loopback", "linklocal", "uniquelocal"]);

export function integer(min: number, max: number): Kind<number> {
  const read = (value: string): number | undefined => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : -1;
    return number >= min && number <= max ? number : undefined;
  };
  return { expected: `a whole number from ${min} to ${max}`, read };
}

export function oneOf<const T extends string>(values: readonly T[]): Kind<T> {
  const read = (value: string): T | undefined => values.find((known) => known === value);
  return { expected: `one of ${values.join(", ")}`, read };
}

export function text(expected: string, lengthMax: number, pattern = /^[^\0]+$/): Kind<string> {
  const read = (value: string): string | undefined =>
    value.length <= lengthMax && pattern.test(value) ? value : undefined;
  return { expected, read };
}

/** `kind` any number of times, separated by commas. */
export function list(kind: Kind<string>): Kind<readonly string[]> {
  const read = (value: string): readonly string[] | undefined => {
    const parts = splitList(value).filter((part) => part !== "");
    const values = parts.map((part) => kind.read(part));
    return values.every((item) => item !== undefined) ? values : undefined;
  };
  return { expected: `${kind.expected}, separated by commas`, read };
}

/** Any of `values`, separated by commas; none, too. */
export function someOf<const T extends string>(values: readonly T[]): Kind<readonly T[]> {
  const one = oneOf(values);
  const read = (value: string): readonly T[] | undefined => {
    const parts = splitList(value).filter((part) => part !== "");
    const known = parts.map((part) => one.read(part));
    return known.every((item) => item !== undefined) ? [...new Set(known)] : undefined;
  };
  return { expected: `any of ${values.join(", ")}, separated by commas`, read };
}

export const host: Kind<string> = {
  expected: "an IP address or a host name",
  read: (value) => {
    const isName = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(value);
    return isIP(value) > 0 || isName ? value : undefined;
  },
};

export const webAddress: Kind<string> = {
  expected: "an http or https address without query, such as https://consent.example.com",
  read: (value) => {
    const url = URL.parse(value);
    if (!url || !/^https?:$/.test(url.protocol) || /[?#]/.test(value)) return undefined;
    if (url.username !== "" || url.password !== "") return undefined;
    return url.href.replace(/\/+$/, "");
  },
};

/** Who answers over a plain connection could be anybody: what is signed is not looked at here. */
export const authorityAddress: Kind<string> = {
  expected:
    "an https address without query, such as https://tsa.example/tsr, or an http one of this machine",
  read: (value) => {
    const url = webAddress.read(value) === undefined ? null : URL.parse(value);
    if (!url || value.length > 2_048) return undefined;
    const isHere = ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
    return url.protocol === "https:" || isHere ? url.href : undefined;
  },
};

export const databaseAddress: Kind<string> = {
  expected: "postgresql://user:password@host:port/database",
  read: (value) =>
    /^postgres(ql)?:\/\/\S+$/.test(value) && value.length <= 4_096 ? value : undefined,
};

export const origin: Kind<string> = {
  expected: "origins such as https://admin.example.com",
  read: (value) => {
    const url = URL.parse(value);
    return url && /^https?:$/.test(url.protocol) && url.origin === value ? value : undefined;
  },
};

/** An origin, or a whole address as it is to be, written as browsers write it. */
export const redirectPlace: Kind<string> = {
  expected: "addresses such as https://admin.example.com/signed-in, or origins",
  read: (value) => {
    const url = URL.parse(value);
    if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
      return undefined;
    return url.hash === "" && [url.href, url.origin].includes(value) ? value : undefined;
  },
};

export const trustProxy: Kind<boolean | string[]> = {
  expected: "off, on, or addresses such as 10.0.0.0/8, separated by commas",
  read: (value) => {
    if (value === "on" || value === "off") return value === "on";
    const parts = splitList(value);
    return parts.every((part) => proxyNames.has(part) || isAddressRange(part)) ? parts : undefined;
  },
};

function splitList(value: string): string[] {
  return value.split(",").map((part) => part.trim());
}

function isAddressRange(value: string): boolean {
  const [address = "", bits, ...rest] = value.split("/");
  const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const inBounds = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax);
  return bitsMax > 0 && inBounds && rest.length === 0;
}

/** Blocks of addresses, such as 10.0.0.0/8. */
export const networks: Kind<readonly Network[]> = {
  expected: "networks such as 10.0.0.0/8 or fd00::/8, separated by commas",
  read: (value) => {
    const read = splitList(value)
      .filter((part) => part !== "")
      .map(toNetwork);
    return read.every((item) => item !== undefined) ? read : undefined;
  },
};

/** Addresses with a verifier key each (C2SP signed-note), `https://host/prefix name+hash+key`. */
export const witnesses: Kind<readonly { url: string; key: string }[]> = {
  expected:
    "an address and a verifier key, such as https://witness.example witness.example+0123abcd+BA…, separated by commas",
  read: (value) => {
    const read = splitList(value)
      .filter((part) => part !== "")
      .map((part) => {
        const [address = "", key = "", ...more] = part.split(/\s+/);
        const url = webAddress.read(address);
        const isKey = /^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*$/u.test(key);
        return url !== undefined && isKey && more.length === 0 ? { url, key } : undefined;
      });
    return read.every((item) => item !== undefined) && read.length <= WITNESSES_MAX
      ? read
      : undefined;
  },
};

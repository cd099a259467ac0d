import { isIP } from "node:net";

/** How a setting's text becomes its value; `expected` completes "expected …" in errors. */
interface Kind<T> {
  expected: string;
  /** The value, or undefined where the text is not what is expected. */
  read(text: string): T | undefined;
}

interface Setting<T = unknown> {
  kind: Kind<T>;
  /** The text that stands for the variable where it is not set. */
  default?: string;
  /** What help shows for the default where there is no fixed one. */
  defaultShown?: string;
  help: string;
  /** Never shown, logged or echoed in an error. */
  secret?: true;
}

const levels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
const proxyNames = new Set(["loopback", "linklocal", "uniquelocal"]);
const BYTES_MAX = 1024 ** 3;
const HOUR_MS = 3_600_000;

/** Every setting of the service: parsing, errors, `--help` and the README's table are made from it. */
export const settings = {
  PORT: {
    kind: integer(0, 65_535),
    default: "8080",
    help: "Port to listen on; 0 takes a free one.",
  },
  HOST: {
    kind: host(),
    default: "127.0.0.1",
    help: "Address to listen on; 0.0.0.0 for every interface.",
  },
  PUBLIC_URL: {
    kind: webAddress(),
    defaultShown: "http://HOST:PORT",
    help: "Address that links carry: where browsers and clients reach the service.",
  },
  DATABASE_URL: {
    kind: databaseAddress(),
    defaultShown: "embedded PostgreSQL",
    help: "An external PostgreSQL, 14 or newer, as postgresql://user:password@host/database.",
    secret: true,
  },
  DATABASE_POOL_MAX: {
    kind: integer(1, 1_000),
    default: "10",
    help: "Connections to the database at most.",
  },
  DATABASE_QUEUE_MAX: {
    kind: integer(0, 1_000_000),
    default: "1000",
    help: "Queries that may wait for a connection; more are answered 503.",
  },
  DATA_DIR: {
    kind: text("a folder", 4_096),
    default: "./data",
    help: "Folder of the embedded database and of the published files.",
  },
  LOG_LEVEL: { kind: oneOf(levels), default: "info", help: `One of ${levels.join(", ")}.` },
  LOG_FORMAT: {
    kind: oneOf(["auto", "pretty", "json"]),
    default: "auto",
    help: "auto, pretty or json; auto is pretty on a terminal and JSON lines elsewhere.",
  },
  CORS_ORIGINS: {
    kind: list(origin()),
    default: "",
    help: "Origins that browsers may call private routes from, separated by commas.",
  },
  CDN_URL: {
    kind: webAddress(),
    defaultShown: "PUBLIC_URL/cdn",
    help: "Address that published files are read from.",
  },
  TRUST_PROXY: {
    kind: trustProxy(),
    default: "off",
    help: "Whose X-Forwarded headers count: off, on, or proxies' addresses and CIDR ranges, separated by commas.",
  },
  METRICS_TOKEN: {
    kind: text("a token of 8 to 1024 visible characters", 1_024, /^[!-~]{8,}$/),
    defaultShown: "none",
    help: "Bearer token that /metrics then asks for.",
    secret: true,
  },
  FREE_TIER_FILE_BYTES_MAX: {
    kind: integer(1, BYTES_MAX),
    default: "65536",
    help: "Size of a free project's published file at most, in bytes before compression.",
  },
  SHUTDOWN_TIMEOUT_MS: {
    kind: integer(0, HOUR_MS),
    default: "10000",
    help: "How long open requests may take to end when the service stops, in milliseconds.",
  },
  DEMO: {
    kind: oneOf(["auto", "on", "off"]),
    default: "auto",
    help: "Whether /demo is served: on, off, or auto, which is on where HOST is a loopback address.",
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

type ValueOf<S extends { kind: Kind<unknown> }> = NonNullable<ReturnType<S["kind"]["read"]>>;

/** What the settings hold; undefined is possible only for those without a fixed default. */
export type Values = {
  readonly [K in SettingName]:
    | ValueOf<(typeof settings)[K]>
    | ((typeof settings)[K] extends { default: string } ? never : undefined);
};

function integer(min: number, max: number): Kind<number> {
  const read = (value: string): number | undefined => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : -1;
    return number >= min && number <= max ? number : undefined;
  };
  return { expected: `a whole number from ${min} to ${max}`, read };
}

function oneOf<const T extends string>(values: readonly T[]): Kind<T> {
  const read = (value: string): T | undefined => values.find((known) => known === value);
  return { expected: `one of ${values.join(", ")}`, read };
}

function text(expected: string, lengthMax: number, pattern = /^[^\0]+$/): Kind<string> {
  const read = (value: string): string | undefined =>
    value.length <= lengthMax && pattern.test(value) ? value : undefined;
  return { expected, read };
}

function host(): Kind<string> {
  const read = (value: string): string | undefined =>
    isIP(value) > 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(value) ? value : undefined;
  return { expected: "an IP address or a host name", read };
}

function webAddress(): Kind<string> {
  const read = (value: string): string | undefined => {
    const url = URL.parse(value);
    if (!url || !/^https?:$/.test(url.protocol) || /[?#]/.test(value)) return undefined;
    if (url.username !== "" || url.password !== "") return undefined;
    return url.href.replace(/\/+$/, "");
  };
  return {
    expected: "an http or https address without query, such as https://consent.example.com",
    read,
  };
}

function databaseAddress(): Kind<string> {
  const read = (value: string): string | undefined =>
    /^postgres(ql)?:\/\/\S+$/.test(value) && value.length <= 4_096 ? value : undefined;
  return { expected: "postgresql://user:password@host:port/database", read };
}

function list(kind: Kind<string>): Kind<readonly string[]> {
  const read = (value: string): readonly string[] | undefined => {
    const parts = value.split(",").map((part) => part.trim());
    const values = parts.filter((part) => part !== "").map((part) => kind.read(part));
    return values.every((item) => item !== undefined) ? values : undefined;
  };
  return { expected: `${kind.expected}, separated by commas`, read };
}

function origin(): Kind<string> {
  const read = (value: string): string | undefined => {
    const url = URL.parse(value);
    return url && /^https?:$/.test(url.protocol) && url.origin === value ? value : undefined;
  };
  return { expected: "origins such as https://admin.example.com", read };
}

function trustProxy(): Kind<boolean | string[]> {
  const read = (value: string): boolean | string[] | undefined => {
    if (value === "on" || value === "off") return value === "on";
    const parts = value.split(",").map((part) => part.trim());
    return parts.every((part) => proxyNames.has(part) || isAddressRange(part)) ? parts : undefined;
  };
  return { expected: "off, on, or addresses such as 10.0.0.0/8, separated by commas", read };
}

function isAddressRange(value: string): boolean {
  const [address = "", bits, ...rest] = value.split("/");
  const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const inBounds = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax);
  return bitsMax > 0 && inBounds && rest.length === 0;
}

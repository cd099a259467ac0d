import type { ConsentTool } from "@avow/contract/consent-tools";

/** The answer that another consent tool has stored. Its content is not trusted. */
export interface ToolAnswer {
  /** Whether each category, service or vendor was accepted, by the tool's own names. */
  given: ReadonlyMap<string, boolean>;
  /** Whether the tool stores only accepted names, so that all others were refused. */
  isComplete?: boolean;
  /** The time of the answer, ms since 1970; undefined if it is not stored. */
  at?: number | undefined;
  /** The expiry of the answer, if it is stored. */
  until?: number | undefined;
}

/** Reads a cookie, or else a key of local storage. */
type ReadStored = (name: string) => string | undefined;

interface ToolFormat {
  /** Names of the tool's cookies or storage keys. */
  names: readonly string[];
  /**
   * Parses the stored text. Undefined without an answer of the visitor: tools also store defaults.
   * @throws Error for a text in another format
   */
  parse: (text: string, read: ReadStored) => ToolAnswer | undefined;
}

type Json = unknown;
type Members = Readonly<Record<string, unknown>>;

export const toolFormats: Readonly<Record<ConsentTool, ToolFormat>> = {
  axeptio: { names: ["axeptio_cookies"], parse: parseAxeptio },
  c15t: { names: ["c15t", "privacy-consent-storage"], parse: parseC15t },
  cookiebot: { names: ["CookieConsent"], parse: parseCookiebot },
  cookieconsent: { names: ["cc_cookie"], parse: parseCookieConsent },
  didomi: { names: ["didomi_token"], parse: parseDidomi },
  klaro: { names: ["klaro"], parse: parseKlaro },
  onetrust: { names: ["OptanonConsent"], parse: parseOneTrust },
  tarteaucitron: { names: ["tarteaucitron"], parse: parseTarteaucitron },
  usercentrics: { names: ["ucData", "uc_settings"], parse: parseUsercentrics },
};

/** `{"$$completed":true,"$$date":"…","google_analytics":true}`; the widget's own memory has the same format. */
function parseAxeptio(text: string): ToolAnswer | undefined {
  const stored = toMembers(parseJson(text));
  if (stored["$$completed"] !== true) return undefined;
  const given = toBooleans(stored);
  return { given, at: toTime(stored["$$date"]) };
}

/**
 * JSON in local storage, and in the cookie `c.marketing:1,i.t:1727000000000`, which leaves out refused purposes
 * (c15t 2.2.1, saveConsentToStorage and setCookie). Without the time there is no answer of the visitor.
 */
function parseC15t(text: string): ToolAnswer | undefined {
  if (text.startsWith("{")) {
    const stored = toMembers(parseJson(text));
    const at = toTime(toMembers(stored["consentInfo"])["time"]);
    return at === undefined ? undefined : { given: toBooleans(toMembers(stored["consents"])), at };
  }
  const given = new Map<string, boolean>();
  let at: number | undefined;
  for (const pair of text.split(",")) {
    const [name = "", value] = pair.split(":");
    if (name.startsWith("c.")) given.set(name.slice("c.".length), value === "1");
    if (name === "i.t") at = toTime(Number(value));
  }
  return at === undefined ? undefined : { given, isComplete: true, at };
}

/**
 * `{stamp:'…',necessary:true,preferences:false,statistics:true,marketing:false,method:'explicit',ver:1,utc:1698057791350}`,
 * URL-encoded (categories: https://www.cookiebot.com/en/developer/). `implied` is no answer of the visitor.
 */
function parseCookiebot(text: string): ToolAnswer | undefined {
  const decoded = decode(text);
  if (!decoded.includes("method:'explicit'")) return undefined;
  const given = new Map<string, boolean>();
  for (const [, name = "", value] of decoded.matchAll(/\b([a-z]{1,32}):(true|false)\b/g))
    given.set(name, value === "true");
  return { given, at: toTime(Number(/\butc:(\d{1,15})\b/.exec(decoded)?.[1])) };
}

/**
 * orestbida's CookieConsent: `{"categories":["necessary","analytics"],…}` with the accepted categories, in version 3 also
 * `services` by category (cookieconsent.orestbida.com/reference/api-reference.html, getCookie; version 2.9: getUserPreferences).
 */
function parseCookieConsent(text: string): ToolAnswer | undefined {
  const stored = toMembers(parseJson(text));
  const { categories, level = categories } = stored;
  const accepted = [
    ...toTexts(level),
    ...Object.values(toMembers(stored["services"])).flatMap(toTexts),
  ];
  const at =
    toTime(stored["lastConsentTimestamp"]) ??
    toTime(stored["last_consent_update"]) ??
    toTime(stored["consentTimestamp"]) ??
    toTime(stored["consent_date"]);
  if (!Array.isArray(level) || at === undefined) return undefined;
  const given = new Map(accepted.map((name) => [name, true]));
  return { given, isComplete: true, at, until: toTime(stored["expirationTime"]) };
}

/**
 * Base64 of `{"updated":"…","vendors":{"enabled":[],"disabled":[]},"purposes":{…}}`
 * (https://support.didomi.io/didomi-cookies-storage-1). The binary `didomi_dcs` has only numbers for names.
 */
function parseDidomi(text: string): ToolAnswer | undefined {
  const stored = toMembers(JSON.parse(atob(decode(text))));
  const given = new Map<string, boolean>();
  const lists = [stored["purposes"], stored["vendors"]].map(toMembers);
  for (const { enabled } of lists) for (const name of toTexts(enabled)) given.set(name, true);
  // A name in several lists counts as refused.
  for (const { disabled } of lists) for (const name of toTexts(disabled)) given.set(name, false);
  return { given, at: toTime(stored["updated"]) };
}

/** `{"matomo":true,"youtube":false}` by service, URL-encoded, without a time (klaro 0.7, consent-manager.js, saveConsents). */
function parseKlaro(text: string): ToolAnswer | undefined {
  return { given: toBooleans(toMembers(parseJson(text))) };
}

/**
 * `…&groups=C0001%3A1%2CC0002%3A0&AwaitingReconsent=false`; the second cookie has the time at which the visitor closed the
 * banner, without which the first has defaults (https://my.onetrust.com/articles/en_US/Knowledge/UUID-2dc719a8-4be5-8d16-1dc8-c7b4147b88e0).
 */
function parseOneTrust(text: string, read: ReadStored): ToolAnswer | undefined {
  const stored = new URLSearchParams(text);
  const at = toTime(decode(read("OptanonAlertBoxClosed") ?? ""));
  if (at === undefined || stored.get("AwaitingReconsent") === "true") return undefined;
  const given = new Map<string, boolean>();
  for (const list of [stored.get("groups"), stored.get("genVendors")])
    for (const pair of list?.split(",") ?? []) {
      const [name = "", value] = pair.split(":");
      if (value === "0" || value === "1") given.set(name, value === "1");
    }
  return { given, at };
}

/** `!gtag=true!youtube=false!matomo=wait` by service, without a time (tarteaucitron 1.34, cookie.create). */
function parseTarteaucitron(text: string): ToolAnswer | undefined {
  const given = new Map<string, boolean>();
  for (const pair of decode(text).split("!")) {
    const [name = "", value] = pair.split("=");
    if (value === "true" || value === "false") given.set(name, value === "true");
  }
  return { given };
}

/**
 * Services by id and by name, in local storage: in version 3 `{"consent":{"services":{"ID":{"name":"…","consent":true}}}}`,
 * in version 2 `{"services":[{"id":"ID","status":true,"history":[{"timestamp":1727000000000}]}]}` (StorageSettings in
 * https://app.unpkg.com/@usercentrics/cmp-browser-sdk@4.48.0). Without `uc_user_interaction` they are defaults.
 */
function parseUsercentrics(text: string, read: ReadStored): ToolAnswer | undefined {
  if (read("uc_user_interaction") !== "true") return undefined;
  const stored = toMembers(parseJson(text));
  const services = toMembers(toMembers(stored["consent"])["services"] ?? stored["services"]);
  const given = new Map<string, boolean>();
  let at: number | undefined;
  for (const [key, value] of Object.entries(services)) {
    const { id = key, name, consent, status = consent, history } = toMembers(value);
    for (const known of [id, name])
      if (typeof known === "string" && typeof status === "boolean") given.set(known, status);
    const times = toList(history).map((one) => toTime(toMembers(one)["timestamp"]) ?? 0);
    at = Math.max(at ?? 0, ...times) || undefined;
  }
  return { given, at };
}

/** Cookies are URL-encoded in whole or in part, local storage is not. */
function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(decodeURIComponent(text));
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function toMembers(value: Json): Members {
  return typeof value === "object" && value ? (value as Members) : {};
}

function toList(value: Json): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toTexts(value: Json): string[] {
  return toList(value).filter((one) => typeof one === "string");
}

/** The members with a boolean. */
function toBooleans(members: Members): Map<string, boolean> {
  const given = new Map<string, boolean>();
  for (const [name, value] of Object.entries(members))
    if (typeof value === "boolean" && !name.startsWith("$$")) given.set(name, value);
  return given;
}

/** An instant as text or as ms since 1970. */
function toTime(value: Json): number | undefined {
  const ms =
    typeof value === "number" ? value : typeof value === "string" ? Date.parse(value) : NaN;
  return ms > 0 && Number.isFinite(ms) ? ms : undefined;
}

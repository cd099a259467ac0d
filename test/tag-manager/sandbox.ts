// The sandbox of Google Tag Manager's templates, as far as the templates of this repository need it. It also runs in a
// page, so it imports nothing. It emulates the APIs and their permissions, and not: copies of values that cross the
// sandbox, policies of a page, and the order in which Tag Manager fires tags.
// https://developers.google.com/tag-platform/tag-manager/templates/api

/** The parameters of each permission by its name. */
export type Permissions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A state of Consent Mode: a value for each type, `region` and `wait_for_update`. */
export type ConsentState = Record<string, unknown>;

/** The outside of the sandbox, as far as its APIs reach it. */
export interface Host {
  /** The encoded values of the cookies with a name. */
  readCookies(name: string): string[];
  setDefaultConsent(state: ConsentState): void;
  updateConsent(state: ConsentState): void;
  setFields(fields: Record<string, unknown>): void;
  loadScript(address: string, onSuccess: () => void, onFailure: () => void): void;
  /** The global object of the page. */
  page: object;
}

export type Require = (name: string) => unknown;

/** Members of a consent state that are no types. */
const notTypes = new Set(["region", "wait_for_update"]);

/** Runs sandboxed JavaScript, and returns what it returns. */
export function runSandboxed(code: string, globals: Readonly<Record<string, unknown>>): unknown {
  // The check of the language has found that the code uses no other globals.
  // oxlint-disable-next-line no-new-func, no-implied-eval, typescript/no-implied-eval
  const run = new Function(...Object.keys(globals), `"use strict";\n${code}`);
  return run(...Object.values(globals)) as unknown;
}

/** @throws Error when there is no such API */
export function getApi(apis: Readonly<Record<string, unknown>>, name: string): unknown {
  if (!Object.hasOwn(apis, name)) throw new Error(`The sandbox has no API ${name}.`);
  return apis[name];
}

/** The APIs by name. Each throws when a permission is missing. */
export function buildApis(permissions: Permissions, host: Host): Record<string, unknown> {
  const assertPermitted = (permission: string, ...what: string[]): void => {
    if (!isPermitted(permissions, permission, what))
      throw new Error(`The permission ${permission} does not cover ${what.join(" ")}.`);
  };
  const assertTypes = (state: ConsentState): void => {
    for (const name of Object.keys(state))
      if (!notTypes.has(name)) assertPermitted("access_consent", name, "write");
  };
  return {
    JSON: { parse: parseJson, stringify: JSON.stringify },
    Object: { keys: Object.keys },
    makeInteger: (value: unknown) => Math.trunc(Number(value)),
    encodeUriComponent: encodeURIComponent,
    queryPermission: (permission: string, ...what: string[]) =>
      isPermitted(permissions, permission, what),
    getCookieValues(name: string) {
      assertPermitted("get_cookies", name);
      return host.readCookies(name).map(decodeURIComponent);
    },
    setDefaultConsentState(state: ConsentState) {
      assertTypes(state);
      host.setDefaultConsent(state);
    },
    updateConsentState(state: ConsentState) {
      assertTypes(state);
      host.updateConsent(state);
    },
    gtagSet(fields: Record<string, unknown>) {
      for (const name of Object.keys(fields)) assertPermitted("write_data_layer", name);
      host.setFields(fields);
    },
    injectScript(address: string, onSuccess: () => void, onFailure: () => void) {
      assertPermitted("inject_script", address);
      host.loadScript(address, onSuccess, onFailure);
    },
    callInWindow(path: string, ...values: unknown[]) {
      assertPermitted("access_globals", path, "execute");
      const found = readPath(host.page, path);
      return typeof found === "function" ? (found(...values) as unknown) : undefined;
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isPermitted(
  permissions: Permissions,
  permission: string,
  [subject = "", access = ""]: readonly string[],
): boolean {
  const granted = permissions[permission];
  if (!granted) return false;
  const list = (name: string): unknown[] => granted[name] as unknown[];
  const has = (name: string, key: string): boolean =>
    (list(name) as Record<string, unknown>[]).some(
      (one) => one[key] === subject && one[access] === true,
    );
  switch (permission) {
    case "get_cookies":
      return granted["cookieAccess"] === "any" || list("cookieNames").includes(subject);
    case "access_consent":
      return has("consentTypes", "consentType");
    case "access_globals":
      return has("keys", "key");
    case "inject_script":
      return list("urls").some((pattern) => isMatching(String(pattern), subject));
    case "write_data_layer":
      return list("keyPatterns").includes(subject);
    default:
      return false;
  }
}

/** Whether an address matches a pattern whose `*` stands for a host or labels of one, and for any part of a path. */
function isMatching(pattern: string, address: string): boolean {
  const [, host = "", path = ""] = /^https:\/\/([^/]+)(\/.*)$/.exec(pattern) ?? [];
  const toSource = (text: string, any: string): string =>
    text.replace(/[.?+^$|()[\]{}\\]/g, "\\$&").replaceAll("*", any);
  const source = `^https://${toSource(host, "[^/?#]+")}${toSource(path, ".*")}$`;
  return host !== "" && new RegExp(source).test(address);
}

function readPath(page: object, path: string): unknown {
  let found: unknown = page;
  for (const name of path.split("."))
    found = (found as Record<string, unknown> | undefined)?.[name];
  return found;
}

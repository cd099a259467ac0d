import type { BrowserContext, Page, Request } from "playwright-core";
import {
  type Phase,
  type SeenCall,
  type SeenCookie,
  type SeenRequest,
  type SeenStorage,
  limitsOfRecord,
} from "../record/result.ts";
import { isOwnHost, isSameHost, toPathPrefix } from "../record/sites.ts";
import { readCalls } from "./fingerprint.ts";
import { within } from "./within.ts";

/** Timeout of one question to a frame, whose scripts may be busy. */
const FRAME_MS = 2_000;
const FRAMES_MAX = 50;
const NAMES_MAX = 200;

/** Collects what one context does, from the start or since the last `restart`. */
export interface Recorder {
  /** Forgets requests and calls, not cookies and storage: they are read as they are. */
  restart: () => void;
  /** Reads cookies, storage and calls after a page has loaded. */
  readPage: (page: Page) => Promise<void>;
  /** Adds hosts that were connected to without a recorded request, as by preconnect or a worker. */
  addHosts: (hosts: readonly string[]) => void;
  read: () => Pick<Phase, "requests" | "cookies" | "storage" | "fingerprinting">;
  isFull: () => boolean;
}

interface RecorderOptions {
  siteHost: string;
  /** The name of the counts of calls in each frame. */
  key: string;
  /** Whether a path on any host, also the site's own, belongs to a known service. */
  isKnownPath: (path: string) => boolean;
}

const cut = (text: string): string => text.slice(0, limitsOfRecord.text);

export function openRecorder(
  context: BrowserContext,
  { siteHost, key, isKnownPath }: RecorderOptions,
): Recorder {
  const requests = new Map<string, SeenRequest>();
  const cookies = new Map<string, SeenCookie>();
  const storage = new Map<string, SeenStorage>();
  const calls = new Map<string, SeenCall>();
  let isFull = false;

  const addRequest = (address: string, type: string): void => {
    const url = URL.parse(address);
    if (!url || !/^(?:https?|wss?):$/.test(url.protocol)) return;
    const host = url.hostname;
    // The site's own files say nothing, unless a service is hosted there.
    if (isSameHost(host, siteHost) && !isKnownPath(url.pathname)) return;
    const path = toPathPrefix(url.pathname);
    const id = `${host} ${path} ${type}`;
    const found = requests.get(id);
    if (found) found.count += 1;
    else if (requests.size >= limitsOfRecord.requests) isFull = true;
    else
      requests.set(id, {
        host: cut(host),
        path: cut(path),
        type,
        count: 1,
        isThirdParty: !isOwnHost(host, siteHost),
      });
  };
  const listen = (request: Request): void => addRequest(request.url(), request.resourceType());
  context.on("request", listen);
  context.on("page", (page) => {
    page.on("websocket", (socket) => addRequest(socket.url(), "websocket"));
  });

  const readFrames = async (page: Page): Promise<void> => {
    for (const frame of page.frames().slice(0, FRAMES_MAX)) {
      const origin = URL.parse(frame.url());
      if (!origin || !/^https?:$/.test(origin.protocol)) continue;
      const isThirdParty = !isOwnHost(origin.hostname, siteHost);
      const names = await within(FRAME_MS, frame.evaluate(listStored), []);
      for (const [kind, name] of names.slice(0, NAMES_MAX)) {
        const id = `${origin.origin} ${kind} ${name}`;
        if (storage.size < limitsOfRecord.storage)
          storage.set(id, {
            origin: cut(origin.origin),
            kind,
            name: cut(name),
            isThirdParty,
          });
      }
      for (const { call, host, count } of await within(FRAME_MS, readCalls(frame, key), [])) {
        const id = `${call} ${host}`;
        const found = calls.get(id);
        if (found) found.count += count;
        else if (calls.size < limitsOfRecord.calls) calls.set(id, { call, host: cut(host), count });
      }
    }
  };

  return {
    restart() {
      requests.clear();
      calls.clear();
      cookies.clear();
      storage.clear();
    },
    async readPage(page) {
      await readFrames(page);
      const now = Date.now() / 1_000;
      for (const cookie of await context.cookies()) {
        const id = `${cookie.name} ${cookie.domain} ${cookie.path}`;
        if (cookies.size >= limitsOfRecord.cookies && !cookies.has(id)) continue;
        cookies.set(id, {
          name: cut(cookie.name),
          domain: cut(cookie.domain),
          path: cut(cookie.path),
          lifetimeSeconds: cookie.expires < 0 ? null : Math.round(cookie.expires - now),
          isSecure: cookie.secure,
          isHttpOnly: cookie.httpOnly,
          sameSite: cookie.sameSite,
          isThirdParty: !isOwnHost(cookie.domain.replace(/^\./, ""), siteHost),
        });
      }
    },
    addHosts(hosts) {
      const known = new Set([...requests.values()].map(({ host }) => host));
      for (const host of hosts)
        if (!known.has(host) && !isSameHost(host, siteHost))
          addRequest(`https://${host}/`, "connection");
    },
    read: () => ({
      requests: [...requests.values()],
      cookies: [...cookies.values()],
      storage: [...storage.values()],
      fingerprinting: [...calls.values()],
    }),
    isFull: () => isFull,
  };
}

/** Runs in a frame: the names of what it stores, never the values. */
async function listStored(): Promise<["localStorage" | "sessionStorage" | "indexedDB", string][]> {
  const found: ["localStorage" | "sessionStorage" | "indexedDB", string][] = [];
  const page = globalThis as unknown as {
    localStorage: object;
    sessionStorage: object;
    indexedDB: { databases: () => Promise<{ name?: string }[]> };
  };
  for (const kind of ["localStorage", "sessionStorage"] as const) {
    try {
      for (const name of Object.keys(page[kind])) found.push([kind, name]);
    } catch {
      // A sandboxed frame has no storage.
    }
  }
  try {
    for (const { name } of await page.indexedDB.databases())
      if (name !== undefined) found.push(["indexedDB", name]);
  } catch {
    // The same.
  }
  return found;
}

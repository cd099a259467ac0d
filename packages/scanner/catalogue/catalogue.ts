import type { Category } from "../record/result.ts";
import { advertisingServices } from "./advertising.ts";
import { analyticsServices } from "./analytics.ts";
import { embeddedServices } from "./embedded.ts";
import { necessaryServices } from "./necessary.ts";
import { matchesHost, matchesName } from "./patterns.ts";
import type { Service } from "./service.ts";

export type { Service };

/** An entry of the open cookie database. */
export interface KnownCookie {
  platform: string;
  category: Category;
  /** The name, with * at its end if it stands for any rest. */
  name: string;
  /** The domain of a third party; empty for cookies of the site itself. */
  domain: string;
  duration: string;
  purpose: string;
  controller: string;
  policyUrl: string;
}

export interface Catalogue {
  services: readonly Service[];
  /** The service that a request belongs to: by its host and path, or by a path that the service has anywhere. */
  findByRequest: (host: string, path: string) => Service | undefined;
  isKnownPath: (path: string) => boolean;
  /** The service that a cookie or key on the site's own pages belongs to for sure. */
  findByStored: (name: string) => Service | undefined;
  /** Entries of the open cookie database for a name, exact names before patterns. */
  findCookies: (name: string) => readonly KnownCookie[];
  /** The service of a platform of the database. */
  findByPlatform: (platform: string) => Service | undefined;
}

/** A row of open-cookie-database.json: platforms are numbered, so that the file is small. */
type Row = [platform: number, name: string, domain: string, duration: string, purpose: string];
interface CookieFile {
  platforms: [name: string, category: Category, controller: string, policyUrl: string][];
  cookies: Row[];
}

/** Loads the catalogue: our own list of services, and the cookies of the open cookie database. */
export async function openCatalogue(): Promise<Catalogue> {
  const services = [
    ...analyticsServices,
    ...advertisingServices,
    ...embeddedServices,
    ...necessaryServices,
  ];
  const { default: read } = await import("./open-cookie-database.json", { with: { type: "json" } });
  const file = read as unknown as CookieFile;
  const exact = new Map<string, KnownCookie[]>();
  const patterns: KnownCookie[] = [];
  for (const [number, name, domain, duration, purpose] of file.cookies) {
    const found = file.platforms[number];
    if (!found) continue;
    const [platform, category, controller, policyUrl] = found;
    const known = { platform, category, name, domain, duration, purpose, controller, policyUrl };
    if (name.endsWith("*")) patterns.push(known);
    else exact.set(name, [...(exact.get(name) ?? []), known]);
  }
  const byPlatform = new Map(
    services.flatMap((service) =>
      (service.platforms ?? []).map((platform) => [platform, service] as const),
    ),
  );
  return {
    services,
    findByRequest: (host, path) =>
      findLongest(services, host, path) ?? services.find((service) => hasPath(service, path)),
    isKnownPath: (path) => services.some((service) => hasPath(service, path)),
    findByStored: (name) =>
      services.find(({ stored }) => stored?.some((pattern) => matchesName(pattern, name))),
    findCookies: (name) => [
      ...(exact.get(name) ?? []),
      ...patterns.filter((known) => matchesName(known.name, name)),
    ],
    findByPlatform: (platform) => byPlatform.get(platform),
  };
}

function hasPath({ paths = [] }: Service, path: string): boolean {
  return paths.some((prefix) => path.startsWith(prefix));
}

/** The service with the most specific pattern: `www.google.com/recaptcha` before `*.google.com`. */
function findLongest(
  services: readonly Service[],
  host: string,
  path: string,
): Service | undefined {
  let found: Service | undefined;
  let length = 0;
  for (const service of services)
    for (const pattern of service.hosts)
      if (pattern.length > length && matchesHost(pattern, host, path)) {
        found = service;
        length = pattern.length;
      }
  return found;
}

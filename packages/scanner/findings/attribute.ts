import type { Catalogue, KnownCookie, Service } from "../catalogue/catalogue.ts";
import {
  type Category,
  type Phase,
  type PhaseName,
  type SeenCookie,
  type SeenStorage,
} from "../record/result.ts";

/** A service that was seen, with what showed it. */
export interface Sighting {
  id: string;
  title: string;
  provider: string;
  category: Category;
  /** The entry of our own list; undefined where only the cookie database knows the service. */
  service: Service | undefined;
  policyUrl: string | undefined;
  phases: Set<PhaseName>;
  hosts: Map<string, Set<PhaseName>>;
  stored: Map<string, StoredSighting>;
}

export interface StoredSighting {
  name: string;
  kind: "cookie" | "localStorage" | "sessionStorage" | "indexedDB";
  domain: string | undefined;
  lifetimeSeconds: number | null | undefined;
  purpose: string | undefined;
  duration: string | undefined;
  phases: Set<PhaseName>;
}

/** Everything seen, by service, and the rest. */
export interface Attribution {
  sightings: Map<string, Sighting>;
  /** Hosts of third parties that belong to no known service. */
  unknownHosts: Map<string, Set<PhaseName>>;
  /** Cookies and keys that belong to no known service. */
  unknownStored: Map<string, StoredSighting & { isThirdParty: boolean }>;
}

/** Names that many programs use; alone they show nothing. */
const DISTINCTIVE_LENGTH_MIN = 5;
const genericNames = new Set(
  "session sessionid session_id token userid user_id language locale country currency theme visitor visitorid consent cookies preferences settings username version timezone referrer device_id deviceid".split(
    " ",
  ),
);

/** Attributes what the phases recorded to services: requests first, which decide about ambiguous names. */
export function attribute(phases: readonly Phase[], catalogue: Catalogue): Attribution {
  const sightings: Attribution["sightings"] = new Map();
  const unknownHosts: Attribution["unknownHosts"] = new Map();
  const unknownStored: Attribution["unknownStored"] = new Map();
  for (const { name: phase, requests } of phases)
    for (const { host, path, isThirdParty } of requests) {
      const service = catalogue.findByRequest(host, path);
      if (service) {
        const sighting = openSighting(sightings, service);
        sighting.phases.add(phase);
        addPhase(sighting.hosts, host, phase);
      } else if (isThirdParty) addPhase(unknownHosts, host, phase);
    }
  for (const { name: phase, cookies, storage } of phases) {
    for (const one of [...cookies.map(toStored), ...storage.map(toStoredKey)]) {
      const found = findOwner(one, { catalogue, sightings });
      const stored = toSighting(one, phase, found?.known);
      if (!found) {
        const id = `${one.kind} ${one.name} ${one.domain ?? ""}`;
        const known = unknownStored.get(id);
        if (known) known.phases.add(phase);
        else unknownStored.set(id, { ...stored, isThirdParty: one.isThirdParty });
        continue;
      }
      const sighting = found.service
        ? openSighting(sightings, found.service)
        : openKnown(sightings, found.known);
      sighting.phases.add(phase);
      const id = `${one.kind} ${stored.name}`;
      const known = sighting.stored.get(id);
      if (known) known.phases.add(phase);
      else sighting.stored.set(id, stored);
    }
  }
  return { sightings, unknownHosts, unknownStored };
}

function addPhase(all: Map<string, Set<PhaseName>>, name: string, phase: PhaseName): void {
  all.set(name, (all.get(name) ?? new Set()).add(phase));
}

function openSighting(all: Map<string, Sighting>, service: Service): Sighting {
  const found = all.get(service.id);
  if (found) return found;
  const { id, title, provider, category, policyUrl } = service;
  const made = { id, title, provider, category, service, policyUrl, ...newEvidence() };
  all.set(id, made);
  return made;
}

function openKnown(all: Map<string, Sighting>, known: KnownCookie): Sighting {
  const id = toSlug(known.platform);
  const found = all.get(id);
  if (found) return found;
  const made: Sighting = {
    id,
    title: known.platform,
    provider: known.controller === "" ? known.platform : known.controller,
    category: known.category,
    service: undefined,
    policyUrl: known.policyUrl === "" ? undefined : known.policyUrl,
    ...newEvidence(),
  };
  all.set(id, made);
  return made;
}

const newEvidence = (): Pick<Sighting, "phases" | "hosts" | "stored"> => ({
  phases: new Set(),
  hosts: new Map(),
  stored: new Map(),
});

function toSlug(text: string): string {
  const slug = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return slug.replaceAll(/^-|-$/g, "").slice(0, 128);
}

interface Stored {
  kind: StoredSighting["kind"];
  name: string;
  domain: string | undefined;
  lifetimeSeconds: number | null | undefined;
  isThirdParty: boolean;
}

const toStored = ({ name, domain, lifetimeSeconds, isThirdParty }: SeenCookie): Stored => ({
  kind: "cookie",
  name,
  domain: domain.replace(/^\./, ""),
  lifetimeSeconds,
  isThirdParty,
});

const toStoredKey = ({ kind, name, origin, isThirdParty }: SeenStorage): Stored => ({
  kind,
  name,
  domain: new URL(origin).hostname,
  lifetimeSeconds: undefined,
  isThirdParty,
});

/** A service of our own list, or an entry of the database. */
type Owner =
  | { service: Service; known: KnownCookie | undefined }
  | { service: undefined; known: KnownCookie };

/** The owner of a cookie or key: by our own list, by the domain of a third party, or by a distinctive name. */
function findOwner(
  { name, domain = "", isThirdParty }: Stored,
  { catalogue, sightings }: { catalogue: Catalogue; sightings: ReadonlyMap<string, Sighting> },
): Owner | undefined {
  const all = catalogue.findCookies(name);
  const own = isThirdParty
    ? (catalogue.findByRequest(domain, "/") ?? catalogue.findByRequest(`www.${domain}`, "/"))
    : catalogue.findByStored(name);
  if (own)
    return { service: own, known: all.find(({ platform }) => own.platforms?.includes(platform)) };
  const candidates = isThirdParty
    ? all.filter((one) => one.domain !== "" && `.${domain}`.endsWith(`.${one.domain}`))
    : all;
  const owners = candidates.map((known): Owner & { known: KnownCookie } => ({
    service: catalogue.findByPlatform(known.platform),
    known,
  }));
  const seen = owners.find(({ service }) => service && sightings.has(service.id));
  if (seen) return seen;
  const isAlone = new Set(owners.map(({ known }) => known.platform)).size === 1;
  return isThirdParty || (isAlone && isDistinctive(name)) ? owners[0] : undefined;
}

function isDistinctive(name: string): boolean {
  return name.length >= DISTINCTIVE_LENGTH_MIN && !genericNames.has(name.toLowerCase());
}

function toSighting(
  stored: Stored,
  phase: PhaseName,
  known: KnownCookie | undefined,
): StoredSighting {
  return {
    name: known?.name.endsWith("*") === true ? known.name : stored.name,
    kind: stored.kind,
    domain: stored.domain,
    lifetimeSeconds: stored.lifetimeSeconds,
    purpose: known?.purpose,
    duration: known?.duration,
    phases: new Set([phase]),
  };
}

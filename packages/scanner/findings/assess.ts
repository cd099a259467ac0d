import type { Vendor } from "@avow/contract/configuration";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { matchesHost } from "../catalogue/patterns.ts";
import {
  type Finding,
  type FindingKind,
  type Phase,
  type PhaseName,
  type ScanResult,
  type SeenService,
  limitsOfRecord,
} from "../record/result.ts";
import { isOwnHost } from "../record/sites.ts";
import { type Attribution, type Sighting, attribute } from "./attribute.ts";
import { declares, declaresHost, declaresStored } from "./declared.ts";
import { proposeVendor } from "./proposals.ts";

interface Assessing {
  catalogue: Catalogue;
  siteHost: string;
  /** Undefined if the configuration is not known: then nothing is undeclared or unseen. */
  declared: readonly Vendor[] | undefined;
  allowedHosts: readonly string[];
}

/** Avow's own widget asks for consent, and is no vendor. */
const OWN_ID = "avow";
const EVIDENCE_MAX = 20;
const FINDINGS_MAX = 1_000;
const SERVICES_MAX = 300;
const LIST_MAX = 100;

/** Phases in which nothing that needs consent may run. */
const phasesWithoutConsent: readonly [PhaseName, FindingKind][] = [
  ["unanswered", "before-consent"],
  ["refused", "after-refusal"],
];

/** Different ways of recognition by one host from which on they count as fingerprinting. */
const CALLS_MIN = 2;

/** Attributes the records of all phases to services, and compares them with the declared vendors. */
export function assess(
  phases: readonly Phase[],
  assessing: Assessing,
): Pick<ScanResult, "services" | "findings" | "vendors"> {
  const found = attribute(phases, assessing.catalogue);
  const all = [...found.sightings.values()].slice(0, SERVICES_MAX);
  const { declared = [] } = assessing;
  const ownerOf = (sighting: Sighting): Vendor | undefined =>
    declared.find((vendor) => declares(vendor, sighting));
  const findings = [
    ...phasesWithoutConsent.flatMap(([phase, kind]) =>
      listRunning(found, { phase, kind, phases, assessing, ownerOf }),
    ),
    ...(assessing.declared ? listUndeclared(found, assessing, ownerOf) : []),
    ...(assessing.declared ? listUnseen(found, phases, declared) : []),
    ...listUnanswered(phases),
  ];
  return {
    services: all.map((sighting) => toSeenService(sighting, ownerOf(sighting))),
    findings: findings.slice(0, FINDINGS_MAX),
    vendors: all
      .filter((sighting) => !ownerOf(sighting) && sighting.id !== OWN_ID)
      .map(proposeVendor),
  };
}

interface Running {
  phase: PhaseName;
  kind: FindingKind;
  phases: readonly Phase[];
  assessing: Assessing;
  ownerOf: (sighting: Sighting) => Vendor | undefined;
}

/** Services, hosts and cookies that need consent, in a phase in which nobody gave it. */
function listRunning(found: Attribution, running: Running): Finding[] {
  const { phase, kind, phases, assessing, ownerOf } = running;
  const isAllowed = (host: string): boolean =>
    assessing.allowedHosts.some((pattern) => matchesHost(pattern, host, "/")) ||
    (assessing.declared ?? []).some(
      (vendor) => vendor.required === true && declaresHost(vendor, host),
    );
  const services = [...found.sightings.values()].flatMap((sighting): Finding[] => {
    if (!needsConsent(sighting) || ownerOf(sighting)?.required === true) return [];
    const hosts = namesIn(sighting.hosts, phase).filter((host) => !isAllowed(host));
    const stored = [...sighting.stored.values()].flatMap(({ name, phases: seen }) =>
      seen.has(phase) ? [name] : [],
    );
    if (hosts.length + stored.length === 0) return [];
    return [toFinding(kind, "service", sighting.id, sighting.title, [...hosts, ...stored])];
  });
  const hosts = namesIn(found.unknownHosts, phase)
    .filter((host) => !isAllowed(host))
    .map((host) => toFinding(kind, "host", host, host, pathsOf(phases, phase, host)));
  const cookies = [...found.unknownStored.values()].flatMap((stored): Finding[] =>
    stored.isThirdParty && stored.phases.has(phase) && !isAllowed(stored.domain ?? "")
      ? [toFinding(kind, "cookie", stored.name, stored.name, [stored.domain ?? ""])]
      : [],
  );
  return [...services, ...hosts, ...cookies, ...listFingerprinting(running)];
}

/** Only the cookie database knows many functional cookies of the site's own software: they are no finding. */
function needsConsent({ category, service }: Sighting): boolean {
  return category !== "necessary" && (service !== undefined || category !== "functional");
}

function listFingerprinting({ phase, kind, phases, assessing }: Running): Finding[] {
  const byHost = new Map<string, Set<string>>();
  for (const one of phases)
    if (one.name === phase)
      for (const { host, call } of one.fingerprinting)
        if (!isOwnHost(host, assessing.siteHost) && !assessing.allowedHosts.includes(host))
          byHost.set(host, (byHost.get(host) ?? new Set()).add(call));
  return [...byHost].flatMap(([host, calls]) =>
    calls.size >= CALLS_MIN ? [toFinding(kind, "fingerprinting", host, host, [...calls])] : [],
  );
}

function listUndeclared(
  found: Attribution,
  { declared = [], allowedHosts }: Assessing,
  ownerOf: (sighting: Sighting) => Vendor | undefined,
): Finding[] {
  const services = [...found.sightings.values()].flatMap((sighting): Finding[] =>
    ownerOf(sighting) || sighting.id === OWN_ID
      ? []
      : [
          toFinding("undeclared", "service", sighting.id, sighting.title, [
            ...sighting.hosts.keys(),
            ...[...sighting.stored.values()].map(({ name }) => name),
          ]),
        ],
  );
  const hosts = [...found.unknownHosts.keys()]
    .filter((host) => !allowedHosts.some((pattern) => matchesHost(pattern, host, "/")))
    .filter((host) => !declared.some((vendor) => declaresHost(vendor, host)))
    .map((host) => toFinding("undeclared", "host", host, host, []));
  const cookies = [...found.unknownStored.values()]
    .filter((stored) => !declared.some((vendor) => declaresStored(vendor, stored)))
    .map(({ name, domain, kind }) =>
      toFinding("undeclared", "cookie", name, name, [kind, domain ?? ""]),
    );
  return [...services, ...hosts, ...cookies];
}

/** Declared vendors of which nothing was seen after acceptance. */
function listUnseen(
  found: Attribution,
  phases: readonly Phase[],
  declared: readonly Vendor[],
): Finding[] {
  if (!phases.some(({ name }) => name === "accepted")) return [];
  const sightings = [...found.sightings.values()];
  return declared.flatMap((vendor): Finding[] => {
    if ((vendor.hosts ?? []).length + (vendor.storage ?? []).length === 0) return [];
    const isSeen =
      sightings.some((sighting) => declares(vendor, sighting)) ||
      [...found.unknownHosts.keys()].some((host) => declaresHost(vendor, host)) ||
      [...found.unknownStored.values()].some((stored) => declaresStored(vendor, stored));
    if (isSeen) return [];
    const { name, title = name, hosts = [] } = vendor;
    return [toFinding("unseen", "vendor", name, title, hosts)];
  });
}

/** Without a consent tool that answers, the report covers the first visit only. */
function listUnanswered(phases: readonly Phase[]): Finding[] {
  const isOnlyFirst = phases.length > 0 && phases.every(({ name }) => name === "unanswered");
  return isOnlyFirst ? [toFinding("not-answered", "site", "site", "No consent tool", [])] : [];
}

function toFinding(
  kind: FindingKind,
  subject: Finding["subject"],
  name: string,
  title: string,
  evidence: readonly string[],
): Finding {
  return {
    kind,
    subject,
    name: cut(name),
    title: cut(title),
    evidence: [...new Set(evidence)].slice(0, EVIDENCE_MAX).map(cut),
  };
}

const cut = (text: string): string => text.slice(0, limitsOfRecord.text);

function namesIn(all: ReadonlyMap<string, ReadonlySet<PhaseName>>, phase: PhaseName): string[] {
  return [...all].flatMap(([name, phases]) => (phases.has(phase) ? [name] : []));
}

function pathsOf(phases: readonly Phase[], name: PhaseName, host: string): string[] {
  return phases
    .filter((phase) => phase.name === name)
    .flatMap(({ requests }) => requests.filter((one) => one.host === host).map(({ path }) => path));
}

function toSeenService(sighting: Sighting, owner: Vendor | undefined): SeenService {
  const stored = [...sighting.stored.values()];
  const namesOf = (isCookie: boolean): string[] =>
    stored
      .filter(({ kind }) => (kind === "cookie") === isCookie)
      .map(({ name }) => name)
      .slice(0, LIST_MAX);
  return {
    id: sighting.id,
    title: sighting.title,
    provider: sighting.provider,
    category: sighting.category,
    phases: [...sighting.phases],
    hosts: [...sighting.hosts.keys()].slice(0, LIST_MAX),
    cookies: namesOf(true),
    storage: namesOf(false),
    declaredBy: owner?.name ?? null,
    source: sighting.service?.source ?? null,
  };
}

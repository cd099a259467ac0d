import type { FieldFault } from "../../../platform/errors.ts";
import { assertNoFaults } from "../../../platform/errors.ts";
import { toGrade } from "./assurance-levels.ts";
import type { OfferedConfiguration } from "../offers/offered.ts";
import type { ConsentIn, Preferences } from "@avow/contract/consents";
import type { ConsentRow, NewConsent } from "./store.ts";

const FUTURE_MAX_MS = 5 * 60_000;
const PAST_MAX_MS = 30 * 86_400_000;
/** What PostgreSQL and four-digit years can both say. */
const instantMin = Date.parse("0001-01-01T00:00:00Z");
const instantMax = Date.parse("9999-12-31T23:59:59.999Z");

/** A visitor's answer as it will be kept, the service's own part left out. */
export type Answer = Pick<
  NewConsent,
  "accept" | "preferences" | "value" | "language" | "url" | "clientAt"
> & { token: string | undefined };

/**
 * What is kept of a body: known fields only, the page without query and fragment.
 * @throws Fault invalid for a timestamp or an address that its schema lets through but is none
 */
export function toAnswer(body: ConsentIn): Answer {
  const faults: FieldFault[] = [];
  const clientAt = body.timestamp === undefined ? null : new Date(body.timestamp);
  if (clientAt && !(clientAt.getTime() >= instantMin && clientAt.getTime() <= instantMax))
    faults.push({ path: "/timestamp", message: "is not an instant of the years 1 to 9999" });
  const url = body.url === undefined ? null : URL.parse(body.url);
  if (body.url !== undefined && !url) faults.push({ path: "/url", message: "is not an address" });
  assertNoFaults(faults);
  return {
    token: body.token,
    accept: body.accept,
    preferences: body.preferences ? toPreferences(body.preferences) : null,
    value: body.value ?? null,
    language: body.language ?? null,
    url: url && url.origin + url.pathname,
    clientAt,
  };
}

function toPreferences({ vendors, config, googleConsentMode, tcString }: Preferences): Preferences {
  // Set one by one, in one order: objects of one shape are quicker to make and to read.
  const kept: Preferences = {};
  if (vendors !== undefined) kept.vendors = vendors;
  if (config !== undefined) kept.config = toShownConfig(config);
  if (googleConsentMode !== undefined) kept.googleConsentMode = googleConsentMode;
  if (tcString !== undefined) kept.tcString = tcString;
  return kept;
}

type ShownConfig = NonNullable<Preferences["config"]>;

function toShownConfig({ identifier, name, language }: ShownConfig): ShownConfig {
  const kept: ShownConfig = {};
  if (identifier !== undefined) kept.identifier = identifier;
  if (name !== undefined) kept.name = name;
  if (language !== undefined) kept.language = language;
  return kept;
}

/** What is kept of an answer though it looks wrong; of its ticket what `ticketFault` says. */
export function findWarnings(
  answer: Answer,
  { offers }: OfferedConfiguration,
  { now, ticketFault }: { now: Date; ticketFault?: string | undefined },
): FieldFault[] {
  const warnings = Object.keys(answer.preferences?.vendors ?? {})
    .filter((slug) => slug === "" || !offers.has(slug))
    .map((slug) => ({
      path: `/preferences/vendors/${slug.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      message: "was not offered by this configuration",
    }));
  const lateMs = answer.clientAt ? now.getTime() - answer.clientAt.getTime() : 0;
  if (lateMs < -FUTURE_MAX_MS)
    warnings.push({ path: "/timestamp", message: "lies more than 5 minutes in the future" });
  if (lateMs > PAST_MAX_MS)
    warnings.push({ path: "/timestamp", message: "lies more than 30 days in the past" });
  if (ticketFault !== undefined) warnings.push({ path: "/ticket", message: ticketFault });
  return warnings;
}

/** A row as the record that it keeps. */
export function toKeptRecord(row: ConsentRow): NewConsent {
  return {
    projectId: row.project_id,
    id: row.id,
    token: row.token,
    collection: row.collection as NewConsent["collection"],
    identifier: row.identifier,
    accept: row.accept,
    preferences: row.preferences as Preferences | null,
    value: row.value,
    language: row.language,
    url: row.url,
    clientAt: row.client_at,
    country: row.country,
    userAgent: row.user_agent,
    version: row.version,
    warnings: (row.warnings ?? []) as FieldFault[],
    importId: row.import_id,
    grade: toGrade(row),
    gpc: row.gpc,
    displayedAt: row.displayed_at,
    createdAt: row.created_at,
  };
}

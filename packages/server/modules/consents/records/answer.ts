import type { FieldFault } from "../../../platform/errors.ts";
import { assertNoFaults } from "../../../platform/errors.ts";
import type { ConsentIn, Preferences } from "@avow/contract/consents";
import type { ConsentRecord } from "./row.ts";

/** The range of instants that PostgreSQL and four-digit years can both represent. */
const instantMin = Date.parse("0001-01-01T00:00:00Z");
const instantMax = Date.parse("9999-12-31T23:59:59.999Z");

/** A visitor's answer as stored, without the fields that the service adds. */
export type Answer = Pick<
  ConsentRecord,
  "accept" | "preferences" | "value" | "language" | "url" | "clientAt"
> & { token: string | undefined };

/**
 * Reads the answer from a body: known fields only, and the page without query and fragment.
 * @throws Fault invalid for an invalid timestamp or URL that the schema accepts
 */
export function toAnswer(body: ConsentIn): Answer {
  const faults: FieldFault[] = [];
  const clientAt = body.timestamp === undefined ? null : new Date(body.timestamp);
  if (clientAt && !(clientAt.getTime() >= instantMin && clientAt.getTime() <= instantMax))
    faults.push({ path: "/timestamp", message: "must be an instant of the years 1 to 9999" });
  const url = body.url === undefined ? null : URL.parse(body.url);
  if (body.url !== undefined && !url) faults.push({ path: "/url", message: "is not a URL" });
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
  // Set one by one, in a fixed order: objects of the same shape are faster.
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

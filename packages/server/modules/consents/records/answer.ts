import type { FieldFault } from "../../../platform/errors.ts";
import { assertNoFaults } from "../../../platform/errors.ts";
import { toInstants } from "@avow/contract/instants";
import type { ConsentIn, ImportedFrom, Preferences } from "@avow/contract/consents";
import type { ConsentRecord } from "./row.ts";

/** A visitor's answer as stored, without the fields that the service adds. */
export type Answer = Pick<
  ConsentRecord,
  "accept" | "preferences" | "value" | "language" | "url" | "clientAt"
> & { token: string | undefined };

/**
 * Reads the answer from a body: known fields only, and the page without query and fragment.
 * @throws Fault invalid for an invalid URL that the schema accepts
 */
export function toAnswer(body: ConsentIn): Answer {
  const faults: FieldFault[] = [];
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
    clientAt: toClientAt(body.timestamp),
  };
}

function toClientAt(timestamp: ConsentIn["timestamp"]): Date | null {
  if (timestamp === undefined) return null;
  return typeof timestamp === "number" ? new Date(timestamp) : toInstants(timestamp).first;
}

function toPreferences(given: Preferences): Preferences {
  const { vendors, config, googleConsentMode, tcString, addtlConsent, gppString } = given;
  const { model, region, imported } = given;
  // Set one by one, in a fixed order: objects of the same shape are faster.
  const kept: Preferences = {};
  if (vendors !== undefined) kept.vendors = vendors;
  if (config !== undefined) kept.config = toShownConfig(config);
  if (googleConsentMode !== undefined) kept.googleConsentMode = googleConsentMode;
  if (tcString !== undefined) kept.tcString = tcString;
  if (addtlConsent !== undefined) kept.addtlConsent = addtlConsent;
  if (gppString !== undefined) kept.gppString = gppString;
  if (model !== undefined) kept.model = model;
  if (region !== undefined) kept.region = region;
  if (imported !== undefined) kept.imported = toImportedFrom(imported);
  return kept;
}

function toImportedFrom({ from, answeredAt }: ImportedFrom): ImportedFrom {
  if (answeredAt === undefined) return { from };
  return { from, answeredAt: toInstants(answeredAt).first.toISOString() };
}

type ShownConfig = NonNullable<Preferences["config"]>;

function toShownConfig({ identifier, name, language }: ShownConfig): ShownConfig {
  const kept: ShownConfig = {};
  if (identifier !== undefined) kept.identifier = identifier;
  if (name !== undefined) kept.name = name;
  if (language !== undefined) kept.language = language;
  return kept;
}

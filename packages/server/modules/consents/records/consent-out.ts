import { hrefOf, paths } from "@avow/contract/urls";
import { escapeFormulas } from "../../../platform/text/csv.ts";
import type { ConsentOut } from "@avow/contract/consents";
import { toSignals } from "./signals.ts";
import type { ConsentRecord } from "./row.ts";

/** A record as the response (wire section 4). */
export function toConsent(record: ConsentRecord, publicUrl: string): ConsentOut {
  const { id, projectId, token, collection, identifier, clientAt, language, url, country } = record;
  const query = { token, service: collection, identifier };
  const latest = hrefOf(publicUrl, paths.latestConsent, { projectId }, query);
  // The token in the link lets the visitor read the proof.
  const proof = hrefOf(publicUrl, paths.proof, { consentId: id }, { token });
  const { userAgent } = record;
  const consent: ConsentOut = {
    consentId: id,
    _id: id,
    projectId,
    collection,
    identifier,
    token,
    accept: record.accept,
    preferences: record.preferences ?? {},
    value: record.value,
    createdAt: record.createdAt.toISOString(),
    version: record.version,
    grade: record.grade,
    signals: toSignals(record.gpc, record.preferences),
    receipt: { links: { latest, proof } },
    headers: country === null ? { userAgent } : { country, userAgent },
    links: {
      latest,
      proof,
      state: hrefOf(publicUrl, paths.clientConsents, { id: projectId, token }),
      project: hrefOf(publicUrl, paths.clientProject, { id: projectId }),
    },
  };
  // Set one by one: spreading optional fields is slow, and this runs for every consent.
  if (clientAt !== null) consent.timestamp = clientAt.toISOString();
  if (language !== null) consent.language = language;
  if (url !== null) consent.url = url;
  if (record.displayedAt !== null) consent.displayedAt = record.displayedAt.toISOString();
  if (record.importId !== null) {
    consent.import = record.importId;
    consent.links["import"] = hrefOf(publicUrl, paths.import, { projectId, id: record.importId });
  }
  if (record.warnings.length > 0) consent.warnings = [...record.warnings];
  return consent;
}

/**
 * A consent as JSON, with the fields that its schema declares only. Used for streamed lists, because the serializer
 * generated from the schema takes 50 % longer.
 */
export function serializeConsent(consent: ConsentOut): string {
  const { preferences, receipt, headers, links, signals } = consent;
  const { config, imported } = preferences;
  return JSON.stringify({
    consentId: consent.consentId,
    _id: consent._id,
    projectId: consent.projectId,
    collection: consent.collection,
    identifier: consent.identifier,
    token: consent.token,
    accept: consent.accept,
    preferences: {
      vendors: preferences.vendors,
      config: config && {
        identifier: config.identifier,
        name: config.name,
        language: config.language,
      },
      googleConsentMode: preferences.googleConsentMode,
      tcString: preferences.tcString,
      addtlConsent: preferences.addtlConsent,
      gppString: preferences.gppString,
      model: preferences.model,
      region: preferences.region,
      imported: imported && { from: imported.from, answeredAt: imported.answeredAt },
    },
    value: consent.value ?? null,
    createdAt: consent.createdAt,
    version: consent.version,
    grade: consent.grade,
    signals: signals && {
      gpc: signals.gpc,
      googleConsentMode: signals.googleConsentMode,
      tcString: signals.tcString,
    },
    receipt: { links: receipt.links },
    headers: { userAgent: headers.userAgent, country: headers.country },
    links,
    timestamp: consent.timestamp,
    language: consent.language,
    url: consent.url,
    displayedAt: consent.displayedAt,
    import: consent.import,
    warnings: consent.warnings?.map(({ path, message }) => ({ path, message })),
  });
}

const toJsonCell = (value: unknown): string => escapeFormulas(JSON.stringify(value));

/** The CSV columns of a record (wire section 4). */
export const consentColumns: Record<string, (record: ConsentRecord) => string | null> = {
  token: ({ token }) => token,
  collection: ({ collection }) => collection,
  identifier: ({ identifier }) => identifier,
  accept: ({ accept }) => (accept ? "1" : "0"),
  date: ({ createdAt }) => createdAt.toISOString(),
  value: ({ value }) => (value === null ? null : toJsonCell(value)),
  preferences: ({ preferences }) => (preferences === null ? null : toJsonCell(preferences)),
};

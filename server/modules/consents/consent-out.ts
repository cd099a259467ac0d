import { hrefOf, paths } from "../../paths.ts";
import type { ConsentOut } from "./schema.ts";
import type { NewConsent } from "./store.ts";

/** A record as it is answered (wire section 4). */
export function toConsent(record: NewConsent, publicUrl: string): ConsentOut {
  const { id, projectId, token, collection, identifier, clientAt, language, url, country } = record;
  const query = { token, service: collection, identifier };
  const latest = hrefOf(publicUrl, paths.latestConsent, { projectId }, query);
  return {
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
    ...(clientAt === null ? {} : { timestamp: clientAt.toISOString() }),
    ...(language === null ? {} : { language }),
    ...(url === null ? {} : { url }),
    receipt: { links: { latest } },
    headers: { ...(country === null ? {} : { country }), userAgent: record.userAgent },
    ...(record.warnings.length === 0 ? {} : { warnings: [...record.warnings] }),
    links: {
      latest,
      state: hrefOf(publicUrl, paths.clientConsents, { id: projectId, token }),
      project: hrefOf(publicUrl, paths.clientProject, { id: projectId }),
    },
  };
}

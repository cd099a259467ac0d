import { sha256, toHex, toUtf8 } from "../formats/bytes.ts";
import type { ConsentBundle, ProvenRecord } from "../formats/bundle.ts";
import type { Check, Context } from "./checks.ts";
import { toEntry } from "../formats/entry.ts";
import { verifyInclusion } from "../tree/inclusion.ts";
import type { Json, JsonObject } from "../formats/json.ts";
import { hashLeaf } from "../tree/merkle.ts";

const RECORD_VERSION = 1;

/** Checks that the record is a consent, and that the log contains it unchanged. */
export async function checkConsent(
  { says }: Context,
  { consent }: ConsentBundle,
): Promise<Check[]> {
  const { index, checkpoint } = consent.proof;
  const holds = await isIncluded(consent);
  return [
    { name: "record", ...toRecord(consent.record, says) },
    {
      name: "inclusion",
      holds,
      says: holds ? says.included(index, checkpoint.size) : says.notIncluded(index),
    },
  ];
}

function toRecord(record: JsonObject, says: Context["says"]): Omit<Check, "name"> {
  if (record["type"] !== "consent") return { holds: false, says: says.recordType };
  if (record["v"] !== RECORD_VERSION) return { holds: false, says: says.recordVersion };
  const { consentId, projectId } = record;
  if (!isId(consentId)) return { holds: false, says: says.recordId("consentId") };
  if (!isId(projectId)) return { holds: false, says: says.recordId("projectId") };
  return { holds: true, says: says.record(consentId, projectId) };
}

/** Checks that the publication is the one in the consent, that it is in the log, and its content. */
export async function checkPublication(
  { says }: Context,
  { consent, publication }: ConsentBundle,
): Promise<Check[]> {
  const named = consent.record["publication"] ?? null;
  if (!publication) {
    return named === null
      ? [{ name: "publication", holds: true, says: says.publicationNone }]
      : [{ name: "publication", holds: null, says: says.publicationMissing }];
  }
  const { index, checkpoint } = publication.proof;
  const holds = await isIncluded(publication);
  const content = toUtf8(publication.content);
  const hash = toHex(await sha256(content));
  const isShown = publication.record["hash"] === hash;
  return [
    { name: "publication", ...toAgreement(consent.record, publication.record, says) },
    {
      name: "publication-inclusion",
      holds,
      says: holds
        ? says.publicationIncluded(index, checkpoint.size)
        : says.publicationNotIncluded(index),
    },
    {
      name: "publication-content",
      holds: isShown,
      says: isShown ? says.content(content.length, hash) : says.contentOther(hash),
    },
  ];
}

function toAgreement(
  consent: JsonObject,
  publication: JsonObject,
  says: Context["says"],
): Omit<Check, "name"> {
  if (publication["type"] !== "publication") return { holds: false, says: says.publicationType };
  const pairs: [string, Json | undefined, Json | undefined][] = [
    ["projectId", consent["projectId"], publication["projectId"]],
    ["version", consent["version"], publication["version"]],
    ["publication", consent["publication"], publication["hash"]],
  ];
  for (const [name, ours, theirs] of pairs) {
    const isScalar = typeof ours === "string" || typeof ours === "number";
    if (!isScalar || ours !== theirs) return { holds: false, says: says.publicationOther(name) };
  }
  return { holds: true, says: says.publication(JSON.stringify(publication["version"])) };
}

/** Computes the entry from the record and its salt, and verifies its inclusion. */
export async function isIncluded({ record, salt, proof }: ProvenRecord): Promise<boolean> {
  const { size, root } = proof.checkpoint;
  const leafHash = await hashLeaf(await toEntry(record, salt));
  return verifyInclusion({ index: proof.index, size, leafHash, path: proof.path, root });
}

function isId(value: Json | undefined): value is string {
  return typeof value === "string" && value !== "";
}

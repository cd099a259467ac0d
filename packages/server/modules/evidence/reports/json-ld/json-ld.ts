import type { ProofBundleOut } from "../../log/schema.ts";
import { jsonLdContext } from "./context.ts";
import { type Node, notStated, toText } from "./nodes.ts";
import { toController } from "./parties.ts";
import { toClocks, toProcesses } from "./processes.ts";
import type { LogPosition } from "../statement/log-position.ts";
import type { ItemStates } from "../statement/answers.ts";
import { type Published, type Statement, toStatement } from "../statement/statement.ts";

/** DPV's profile of consent records by ISO/IEC TS 27560:2023. */
const PROFILE = "https://w3id.org/dpv/schema/dpv-27560#record";
const TLOG_PROOF = "https://c2sp.org/tlog-proof";

/**
 * A bundle as a consent record in JSON-LD, in terms of the W3C's Data Privacy Vocabulary and its guide to ISO/IEC TS
 * 27560:2023. Has every mandatory field; those that the operator never published are marked as not stated. It
 * repeats the content of the bundle, and only the bundle is the proof.
 */
export function toJsonLd(bundle: ProofBundleOut, states: ItemStates = {}): Buffer {
  return Buffer.from(JSON.stringify(toConsentRecord(bundle, toStatement(bundle, states)), null, 2));
}

function toConsentRecord(bundle: ProofBundleOut, statement: Statement): Node {
  const { record, published } = statement;
  const id = `urn:uuid:${record.consentId}`;
  const subject = `${id}#subject`;
  return {
    "@context": jsonLdContext,
    "@id": id,
    "@type": "dpv:ConsentRecord",
    "dct:conformsTo": PROFILE,
    "dpv:hasIdentifier": record.consentId,
    "dct:created": record.createdAt,
    "dct:language": record.language ?? notStated(),
    "dpv:hasDataSubject": {
      "@id": subject,
      "@type": "dpv:DataSubject",
      "dpv:hasIdentifier": record.token,
      "dct:description": toText(
        "A pseudonym that the site chose or was given. The record does not establish who the person is.",
        "en",
      ),
    },
    "avow:evidenceGrade": record.grade,
    ...toClocks(record),
    "avow:skewMilliseconds": statement.skewMs ?? notStated(),
    "dpv:hasNotice": published ? toNotice(statement, published) : notStated("dpv:ConsentNotice"),
    "dpv:hasDataController": toController(statement, `${id}#controller`),
    "dpv:hasProcess": toProcesses(statement, { id, subject }),
    "avow:hasCommitment": toCommitment(bundle, bundle.consent.proof, statement.place),
    ...(record.displayedAt === undefined ? {} : { "avow:displayedAt": record.displayedAt }),
    ...(record.url === undefined ? {} : { "avow:page": record.url }),
    ...(record.country === undefined ? {} : { "avow:country": record.country }),
    ...(record.model === undefined ? {} : { "avow:consentModel": record.model }),
    ...(record.region === undefined ? {} : { "avow:region": record.region }),
    ...(record.userAgent === undefined ? {} : { "avow:userAgentFamily": record.userAgent }),
    ...(record.signals === undefined ? {} : { "avow:signals": JSON.stringify(record.signals) }),
    ...(record.value === undefined ? {} : { "avow:filledIn": JSON.stringify(record.value) }),
    "avow:bundle": {
      "dct:conformsTo": TLOG_PROOF,
      "dct:format": "application/json",
      "dct:type": bundle.format,
      "avow:verifierKey": bundle.keys,
    },
  };
}

/** The published version: its hash, its texts in order, and its position in the log. */
function toNotice(statement: Statement, published: Published): Node {
  const { configuration, shown } = statement;
  const language = configuration["language"];
  return {
    // RFC 6920: a name that is the hash of what it names.
    "@id": `ni:///sha-256;${Buffer.from(published.hash, "hex").toString("base64url")}#${statement.record.identifier}`,
    "@type": "dpv:ConsentNotice",
    "dpv:hasIdentifier": statement.record.identifier,
    "dct:title": toText(statement.name, language),
    "dct:language": typeof language === "string" ? language : notStated(),
    "dct:issued": published.publishedAt ?? notStated(),
    "avow:publishedVersion": published.version,
    "avow:sha256": published.hash,
    "avow:shown": {
      "@list": shown.flatMap(({ kind, name, texts }) =>
        texts.map((each) => ({
          "avow:part": name === "" ? kind : `${kind} ${name}`,
          "avow:kind": each.name ?? each.kind,
          "rdf:value": toText(each.text, language),
        })),
      ),
    },
    "avow:logIndex": published.place.index,
    "avow:treeSize": published.place.size,
    "avow:rootHash": published.place.root,
  };
}

/** The record's position in the log, with the signed checkpoint; `rdf:value` is the proof itself. */
function toCommitment(
  { origin, consent }: ProofBundleOut,
  proof: string,
  place: LogPosition,
): Node {
  return {
    "@type": "avow:Commitment",
    "dct:conformsTo": TLOG_PROOF,
    "avow:log": origin,
    "avow:logIndex": place.index,
    "avow:treeSize": place.size,
    "avow:rootHash": place.root,
    "avow:salt": consent.salt,
    "avow:checkpoint": place.checkpoint,
    "avow:signature": place.signatures.map(({ name, keyId }) => ({
      "avow:signedBy": name,
      "avow:keyId": keyId,
    })),
    "rdf:value": proof,
  };
}

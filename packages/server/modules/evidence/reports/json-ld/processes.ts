import type { Answer, ItemAnswer } from "../statement/answers.ts";
import { readText } from "@avow/contract/json";
import { type AnyConfiguration, languageOf } from "@avow/contract/published";
import { type Node, notStated, toTextOrNotStated, toText } from "./nodes.ts";
import { toRecipients } from "./parties.ts";
import { toMonths } from "../statement/shown.ts";
import { type RecordFields, type Statement, isFromFile } from "../statement/statement.ts";

const DAY_MS = 86_400_000;

/** DPV's states of a consent. */
const states: Record<Exclude<Answer, "required">, string> = {
  accepted: "dpv:ConsentGiven",
  refused: "dpv:ConsentRefused",
  withdrawn: "dpv:ConsentWithdrawn",
  unanswered: "dpv:ConsentRequested",
};

/** The status of vendors that are always on: consent does not apply. */
const notAsked: Node = {
  "@type": "dpv:ConsentStatus",
  "dpv:hasApplicability": "dpv:NotApplicable",
  "skos:prefLabel": { "@value": "always on, never asked", "@language": "en" },
};

interface Ids {
  /** The record's own IRI. */
  id: string;
  subject: string;
}

/** One process per offered item: each can be answered and withdrawn separately. */
export function toProcesses(statement: Statement, ids: Ids): Node[] {
  return statement.itemAnswers.map((itemAnswer, at) => {
    const { configuration } = statement;
    const { language, storageDuration: months } = configuration;
    return {
      "@id": `${ids.id}#process-${at}`,
      "@type": "dpv:Process",
      "dpv:hasIdentifier": itemAnswer.item === "" ? statement.record.identifier : itemAnswer.item,
      "dpv:hasPurpose": toPurpose(itemAnswer, configuration),
      "dpv:hasLegalBasis":
        itemAnswer.answer === "required" ? notStated("dpv:LegalBasis") : toEventType(statement),
      "dpv:hasPersonalData": toPersonalData(configuration),
      "dpv:hasDataController": { "@id": `${ids.id}#controller` },
      "dpv:hasRecipient": toRecipients(itemAnswer, configuration),
      "dpv:hasStorageCondition": [
        { "@type": "dpv:StorageLocation", "dpv:hasLocation": notStated("dpv:Location") },
        {
          "@type": "dpv:StorageDuration",
          "dpv:hasDuration":
            months === undefined
              ? notStated("dpv:Duration")
              : { "@type": "dpv:TemporalDuration", "avow:duration": toMonths(months) },
        },
      ],
      "dpv:hasJurisdiction": notStated("dpv:Location"),
      "dpv:hasRight": notStated("dpv:DataSubjectRight"),
      "dpv:hasAuthority": notStated("dpv:Authority"),
      "dpv:hasConsentControl": {
        "@type": "dpv:WithdrawConsent",
        "dpv:isExercisedAt": toTextOrNotStated(readText(configuration.consentWithdraw), language),
      },
      "dpv:hasConsentStatus": toStatus(statement, itemAnswer, ids),
      ...toDecisions(configuration),
    };
  });
}

/** Imported records do not state how the consent was expressed. */
function toEventType({ record }: Statement): string {
  return record.grade === "imported" ? "dpv:Consent" : "dpv:ExpressedConsent";
}

/** The times of each clock. A record from a file has the time of the file, and none of the service's clock. */
export function toClocks(record: RecordFields): Node {
  const { createdAt, timestamp } = record;
  const own = isFromFile(record) ? "avow:importedFileClock" : "avow:serviceClock";
  return {
    ...(isFromFile(record) ? { "avow:serviceClock": notStated() } : {}),
    [own]: createdAt,
    "avow:visitorClock": timestamp ?? notStated(),
  };
}

function toStatus(statement: Statement, { answer, days }: ItemAnswer, { subject }: Ids): Node {
  if (answer === "required") return notAsked;
  const { createdAt, url, imported } = statement.record;
  return {
    "@type": [states[answer], toEventType(statement)],
    "dpv:isIndicatedAtTime": imported ? (imported.answeredAt ?? notStated()) : createdAt,
    ...toClocks(statement.record),
    "dpv:isIndicatedBy": { "@id": subject },
    "dpv:isExercisedAt": url ?? notStated(),
    "dpv:hasDuration": toValidity(createdAt, days),
  };
}

function toValidity(createdAt: string, days: number | null | undefined): Node {
  if (days === undefined) return notStated("dpv:Duration");
  if (days === null) return { "@type": "dpv:EndlessDuration" };
  const until = new Date(Date.parse(createdAt) + days * DAY_MS).toISOString();
  return {
    "@type": "dpv:TemporalDuration",
    "avow:duration": `P${days}D`,
    "avow:validUntil": until,
  };
}

/** The published texts. Mapping them to DPV's categories is left to people. */
function toPurpose({ item, name, vendor }: ItemAnswer, configuration: AnyConfiguration): Node {
  const language = languageOf(configuration);
  const definition = vendor
    ? [vendor.shortDescription, vendor.longDescription].flatMap((text) => readText(text) ?? [])
    : [configuration.purpose].flatMap((text) => readText(text) ?? []);
  const type = readText(vendor?.type);
  return {
    "@type": "dpv:Purpose",
    "skos:prefLabel": toText(name === "" ? item : name, language),
    "skos:definition":
      definition.length > 0 ? toText(definition.join("\n\n"), language) : notStated(),
    ...(type === undefined ? {} : { "dct:type": type }),
    ...(vendor?.required === true ? { "dpv:hasNecessity": "dpv:Required" } : {}),
  };
}

/** The names that the operator published. They do not state whether a category is special (GDPR, article 9). */
function toPersonalData(configuration: AnyConfiguration): Node | Node[] {
  const types = (configuration.personalDataTypes ?? []).filter((one) => readText(one));
  if (types.length === 0) return notStated("dpv:PersonalData");
  return types.map((label) => ({
    "@type": "dpv:PersonalData",
    "skos:prefLabel": toText(label, languageOf(configuration)),
    "avow:specialCategory": notStated(),
  }));
}

function toDecisions(configuration: AnyConfiguration): Node {
  if (configuration.automatedDecisions !== true) return {};
  const language = languageOf(configuration);
  return {
    "dpv:hasProcessing": {
      "@type": "dpv:AutomatedDecisionMaking",
      "dct:description": toTextOrNotStated(
        readText(configuration.automatedDecisionsDetails),
        language,
      ),
      "dpv:hasContact": toTextOrNotStated(
        readText(configuration.automatedDecisionsContact),
        language,
      ),
    },
  };
}

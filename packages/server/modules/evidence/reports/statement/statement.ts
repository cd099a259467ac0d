import type { ProofBundleOut } from "../../log/schema.ts";
import { type Choice, type ItemStates, toChoices } from "./choices.ts";
import { readText } from "@avow/contract/json";
import { type AnyConfiguration, listAsking, parseContent } from "@avow/contract/published";
import type { RecordedConsent } from "@avow/contract/record";
import { titleOf } from "@avow/contract/titles";
import { type Party, toParty } from "./party.ts";
import { type LogPlace, toLogPlace } from "./place.ts";
import { type ShownPart, toShown } from "./shown.ts";

/** A version that was published, and where that stands in the log. */
export interface Published {
  version: number;
  /** SHA-256 of the content, in hexadecimal digits. */
  hash: string;
  sizeBytes: number;
  publishedAt: string;
  place: LogPlace;
}

/** The record of a consent, member by member; what it does not say is undefined. */
export interface RecordSaid {
  consentId: string;
  projectId: string;
  collection: string;
  identifier: string;
  token: string;
  accept: boolean;
  grade: string;
  /** By the service's clock; of an imported record what its file says. */
  createdAt: string;
  /** By the visitor's clock. */
  timestamp: string | undefined;
  /** When it had been displayed, as a ticket proves. */
  displayedAt: string | undefined;
  url: string | undefined;
  language: string | undefined;
  country: string | undefined;
  userAgent: string | undefined;
  value: unknown;
  signals: RecordedConsent["signals"] | undefined;
}

/** What a bundle says, read out for people and machines. Nothing here is verified. */
export interface Statement {
  record: RecordSaid;
  /** The visitor's clock less the service's, in milliseconds; undefined where one of them says nothing. */
  skewMs: number | undefined;
  choices: Choice[];
  /** The name of the project, as it was published. */
  projectName: string | undefined;
  /** What people call the configuration. */
  name: string;
  /** The configuration as it was published; empty where none was. */
  configuration: AnyConfiguration;
  controller: Party;
  shown: ShownPart[];
  place: LogPlace;
  published: Published | undefined;
}

/** Reads a bundle of our own making. `states` tell refusals from withdrawals, which no record does. */
export function toStatement(bundle: ProofBundleOut, states: ItemStates = {}): Statement {
  const record = toRecord(bundle.consent.record);
  const content = bundle.publication ? parseContent(bundle.publication.content) : undefined;
  const configuration =
    (content && listAsking(content))?.find(
      (one) =>
        one.collection === record.collection && one.configuration.identifier === record.identifier,
    )?.configuration ?? {};
  const { timestamp, createdAt } = record;
  const { answers } = bundle.consent.record;
  return {
    record,
    skewMs:
      timestamp === undefined || isImported(record)
        ? undefined
        : Date.parse(timestamp) - Date.parse(createdAt),
    choices: toChoices(answers, configuration, states),
    projectName: content?.projectName,
    name: titleOf(configuration) ?? readText(answers[""]?.name) ?? record.identifier,
    configuration,
    controller: toParty(content ? [content.dpo, content.client.DPO] : []),
    shown: bundle.publication ? toShown(configuration) : [],
    place: toLogPlace(bundle.consent.proof),
    published: bundle.publication ? toPublished(bundle.publication) : undefined,
  };
}

/** Whether its time is what a file said, and by no clock of the service. */
export function isImported({ grade }: Pick<RecordSaid, "grade">): boolean {
  return grade === "imported";
}

function toRecord(record: RecordedConsent): RecordSaid {
  const { consentId, projectId, collection, identifier, token, accept, grade, createdAt } = record;
  return {
    consentId,
    projectId,
    collection,
    identifier,
    token,
    accept,
    grade,
    createdAt,
    timestamp: record.timestamp ?? undefined,
    displayedAt: record.displayedAt,
    url: record.url ?? undefined,
    language: record.language ?? undefined,
    country: record.country ?? undefined,
    userAgent: readText(record.userAgent),
    value: record.value ?? undefined,
    signals: record.signals ?? undefined,
  };
}

function toPublished({ record, proof }: NonNullable<ProofBundleOut["publication"]>): Published {
  const { version, hash, size, publishedAt } = record;
  return { version, hash, sizeBytes: size, publishedAt, place: toLogPlace(proof) };
}

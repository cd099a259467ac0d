import type { ProofBundleOut } from "../../log/schema.ts";
import { type ItemAnswer, type ItemStates, toItemAnswers } from "./answers.ts";
import { readText } from "@avow/contract/json";
import {
  type AnyConfiguration,
  type PublishedStep,
  listAsking,
  parseContent,
} from "@avow/contract/published";
import type { ImportedFrom } from "@avow/contract/consents";
import type { RecordedConsent } from "@avow/contract/record";
import { type ConsentModel, findRule } from "@avow/contract/regions";
import { titleOf } from "@avow/contract/labels";
import { type Party, toParty } from "./party.ts";
import { type LogPosition, toLogPosition } from "./log-position.ts";
import { type ShownPart, toShown } from "./shown.ts";

/** A published version, and its position in the log. */
export interface Published {
  version: number;
  /** SHA-256 of the content, in hexadecimal digits. */
  hash: string;
  sizeBytes: number;
  publishedAt: string;
  place: LogPosition;
}

/** The members of a consent record; null and empty ones are undefined. */
export interface RecordFields {
  consentId: string;
  projectId: string;
  collection: string;
  identifier: string;
  token: string;
  accept: boolean;
  grade: string;
  /** By the service's clock; for an imported record, the time in its file. */
  createdAt: string;
  /** By the visitor's clock. */
  timestamp: string | undefined;
  /** The time of the display, proven by a ticket. */
  displayedAt: string | undefined;
  url: string | undefined;
  language: string | undefined;
  country: string | undefined;
  userAgent: string | undefined;
  value: unknown;
  signals: RecordedConsent["signals"] | undefined;
  /** How the visitor was asked, by the region that the widget found. */
  model: ConsentModel | undefined;
  region: string | undefined;
  /** The other consent tool that the visitor had answered. */
  imported: ImportedFrom | undefined;
}

/** The content of a bundle, for reports. Nothing here is verified. */
export interface Statement {
  record: RecordFields;
  /** The visitor's clock minus the service's, in milliseconds; undefined if one of them is missing. */
  skewMs: number | undefined;
  itemAnswers: ItemAnswer[];
  /** The published name of the project. */
  projectName: string | undefined;
  /** The title of the configuration. */
  name: string;
  /** The published configuration; empty if there is none. */
  configuration: AnyConfiguration;
  controller: Party;
  shown: ShownPart[];
  place: LogPosition;
  published: Published | undefined;
}

/** Parses a bundle created by this service. `states` distinguish withdrawals from refusals, which records do not. */
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
      timestamp === undefined || isFromFile(record)
        ? undefined
        : Date.parse(timestamp) - Date.parse(createdAt),
    itemAnswers: toItemAnswers(answers, configuration, states),
    projectName: content?.projectName,
    name: titleOf(configuration) ?? readText(answers[""]?.name) ?? record.identifier,
    configuration,
    controller: toParty(content ? [content.dpo, content.client.DPO] : []),
    shown: bundle.publication ? toShown(withRegionTexts(configuration, record)) : [],
    place: toLogPosition(bundle.consent.proof),
    published: bundle.publication ? toPublished(bundle.publication) : undefined,
  };
}

/** The configuration with the texts that its rule for the record's region replaces. */
function withRegionTexts(
  configuration: AnyConfiguration,
  { model, region }: RecordFields,
): AnyConfiguration {
  const { regions = [], steps: [first, ...more] = [] } = configuration;
  const rule = model && findRule(regions, region);
  if (!rule || !first) return configuration;
  const { title = first.title, message = first.message } = rule;
  return { ...configuration, steps: [{ ...first, title, message } as PublishedStep, ...more] };
}

/** Whether the record is from an imported file: its time is that of the file, and not of the service's clock. */
export function isFromFile({ grade, imported }: Pick<RecordFields, "grade" | "imported">): boolean {
  return grade === "imported" && !imported;
}

function toRecord(record: RecordedConsent): RecordFields {
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
    model: record.preferences?.model,
    region: record.preferences?.region,
    imported: record.preferences?.imported,
  };
}

function toPublished({ record, proof }: NonNullable<ProofBundleOut["publication"]>): Published {
  const { version, hash, size, publishedAt } = record;
  return { version, hash, sizeBytes: size, publishedAt, place: toLogPosition(proof) };
}

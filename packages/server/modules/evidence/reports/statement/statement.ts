import type { ProofBundleOut } from "../../log/schema.ts";
import { type Choice, type ItemStates, toChoices } from "./choices.ts";
import { type Fields, toFields, toLine, toList, toNumber } from "./fields.ts";
import { type Party, toParty } from "./party.ts";
import { type LogPlace, toLogPlace } from "./place.ts";
import { type ShownPart, nameOf, toShown } from "./shown.ts";

/** A version that was published, and where that stands in the log. */
export interface Published {
  version: number;
  /** SHA-256 of the content, in hexadecimal digits. */
  hash: string;
  sizeBytes: number | undefined;
  publishedAt: string | undefined;
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
  signals: unknown;
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
  configuration: Fields;
  controller: Party;
  shown: ShownPart[];
  place: LogPlace;
  published: Published | undefined;
}

/** Reads a bundle of our own making. `states` tell refusals from withdrawals, which no record does. */
export function toStatement(bundle: ProofBundleOut, states: ItemStates = {}): Statement {
  const record = toRecord(bundle.consent.record);
  const content = bundle.publication ? toFields(JSON.parse(bundle.publication.content)) : {};
  const configuration =
    toList(content[record.collection]).find((each) => each["identifier"] === record.identifier) ??
    {};
  const { timestamp, createdAt } = record;
  const answers = toFields(bundle.consent.record["answers"]);
  return {
    record,
    skewMs:
      timestamp === undefined || isImported(record)
        ? undefined
        : Date.parse(timestamp) - Date.parse(createdAt),
    choices: toChoices(answers, configuration, states),
    projectName: toLine(content["projectName"]),
    name: nameOf(configuration) ?? toLine(toFields(answers[""])["name"]) ?? record.identifier,
    configuration,
    controller: toParty(content),
    shown: bundle.publication ? toShown(configuration) : [],
    place: toLogPlace(bundle.consent.proof),
    published: bundle.publication ? toPublished(bundle.publication) : undefined,
  };
}

/** Whether its time is what a file said, and by no clock of the service. */
export function isImported({ grade }: Pick<RecordSaid, "grade">): boolean {
  return grade === "imported";
}

function toRecord(record: Fields): RecordSaid {
  const line = (name: string): string => toLine(record[name]) ?? "";
  return {
    consentId: line("consentId"),
    projectId: line("projectId"),
    collection: line("collection"),
    identifier: line("identifier"),
    token: line("token"),
    accept: record["accept"] === true,
    grade: line("grade"),
    createdAt: line("createdAt"),
    timestamp: toLine(record["timestamp"]),
    displayedAt: toLine(record["displayedAt"]),
    url: toLine(record["url"]),
    language: toLine(record["language"]),
    country: toLine(record["country"]),
    userAgent: toLine(record["userAgent"]),
    value: record["value"] ?? undefined,
    signals: record["signals"] ?? undefined,
  };
}

function toPublished({ record, proof }: NonNullable<ProofBundleOut["publication"]>): Published {
  return {
    version: toNumber(record["version"]) ?? 0,
    hash: toLine(record["hash"]) ?? "",
    sizeBytes: toNumber(record["size"]),
    publishedAt: toLine(record["publishedAt"]),
    place: toLogPlace(proof),
  };
}

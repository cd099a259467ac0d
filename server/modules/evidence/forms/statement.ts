import type { ProofBundleOut } from "../schema.ts";
import { type Fields, toFields, toLine, toList, toNumber } from "./fields.ts";
import { type LogPlace, toLogPlace } from "./place.ts";
import { type ShownPart, toShown, vendorsOf } from "./shown.ts";

/** What was answered to an item. `withdrawn`: refused after it was accepted once. */
export type Answer = "accepted" | "refused" | "withdrawn" | "unanswered" | "required";

/** One thing that was offered, with what was answered. */
export interface Choice {
  /** '' for the configuration as a whole, otherwise the vendor's slug. */
  item: string;
  name: string;
  answer: Answer;
  /** For how long the answer holds; null: without an end. Undefined where nothing was answered. */
  days: number | null | undefined;
  /** The vendor as it was published; undefined for the configuration, or where it is not known. */
  vendor: Fields | undefined;
}

/** A person or organization that answers for the data, as it was published. */
export interface Party {
  name: string | undefined;
  officer: string | undefined;
  email: string | undefined;
  address: string | undefined;
}

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
  /** The visitor's clock less the service's, in milliseconds; undefined where there is one clock. */
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

/** The state of each item behind a record, by the service's register, which is no part of the proof. */
export type ItemStates = Readonly<Record<string, { answer: string }>>;

/** Reads a bundle of our own making. `states` tell refusals from withdrawals, which no record does. */
export function toStatement(bundle: ProofBundleOut, states: ItemStates = {}): Statement {
  const record = toRecord(bundle.consent.record);
  const content = bundle.publication ? toFields(JSON.parse(bundle.publication.content)) : {};
  const configuration =
    toList(content[record.collection]).find((each) => each["identifier"] === record.identifier) ??
    {};
  const { timestamp, createdAt } = record;
  const title = toLine(configuration["title"]) ?? toLine(configuration["name"]);
  const answers = toFields(bundle.consent.record["answers"]);
  return {
    record,
    skewMs: timestamp === undefined ? undefined : Date.parse(timestamp) - Date.parse(createdAt),
    choices: toChoices(answers, configuration, states),
    projectName: toLine(content["projectName"]),
    name: title ?? toLine(toFields(answers[""])["name"]) ?? record.identifier,
    configuration,
    controller: toParty(content),
    shown: bundle.publication ? toShown(configuration) : [],
    place: toLogPlace(bundle.consent.proof),
    published: bundle.publication ? toPublished(bundle.publication) : undefined,
  };
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

/** The whole, then everything that was offered in the order of the steps; then what was answered beside it. */
function toChoices(answers: Fields, configuration: Fields, states: ItemStates): Choice[] {
  const vendors = vendorsOf(configuration);
  const whole = Object.hasOwn(answers, "") ? [""] : [];
  const items = new Set([...whole, ...vendors.keys(), ...Object.keys(answers)]);
  return [...items].map((item) => {
    const said = toFields(answers[item]);
    const vendor = vendors.get(item);
    return {
      item,
      name: toLine(vendor?.["title"]) ?? toLine(said["name"]) ?? item,
      answer: toAnswer(
        said,
        vendor,
        Object.hasOwn(states, item) ? states[item]?.answer : undefined,
      ),
      days: said["days"] === null ? null : toNumber(said["days"]),
      vendor,
    };
  });
}

function toAnswer(said: Fields, vendor: Fields | undefined, state: string | undefined): Answer {
  if (said["answer"] === "accepted") return "accepted";
  if (said["answer"] === "refused") return state === "withdrawn" ? "withdrawn" : "refused";
  return vendor?.["required"] === true ? "required" : "unanswered";
}

/** Who answers for the data: a configuration of its own comes before the project's field. */
function toParty(content: Fields): Party {
  const sources = [toFields(content["dpo"]), toFields(toFields(content["client"])["DPO"])];
  const first = (name: string): string | undefined =>
    sources.map((source) => toLine(source[name])).find((text) => text !== undefined);
  return {
    name: first("organization"),
    officer: first("fullname") ?? first("title"),
    email: first("email"),
    address: first("address"),
  };
}

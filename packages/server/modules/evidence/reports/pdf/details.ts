import { consentToolNames } from "@avow/contract/consent-tools";
import type { ImportedFrom } from "@avow/contract/consents";
import type { ProofBundleOut } from "../../log/schema.ts";
import { type Statement, isFromFile } from "../statement/statement.ts";
import type { Words } from "../statement/words-en.ts";
import type { Detail } from "./parts.ts";

/** The details of the record other than its answers. Missing ones are omitted or marked as not stated. */
export function toRecordDetails(statement: Statement, words: Words): Detail[] {
  const { record, skewMs, name, projectName, controller } = statement;
  const { record: says, notStated } = words;
  const { grade, imported } = record;
  const party = [controller.name, controller.officer, controller.address, controller.email];
  const responsible = party.filter((each) => each !== undefined).join("\n") || notStated;
  return [
    ...toDetail(says.token, record.token, "mono"),
    ...toDetail(isFromFile(record) ? says.importedAt : says.createdAt, record.createdAt, "mono"),
    ...toDetail(says.timestamp, record.timestamp ?? notStated, "mono"),
    ...toDetail(says.skew, skewMs === undefined ? undefined : toSkew(skewMs, words)),
    ...toDetail(says.displayedAt, record.displayedAt, "mono"),
    ...toDetail(says.url, record.url ?? notStated),
    ...toDetail(says.language, record.language ?? notStated),
    ...toDetail(says.country, record.country),
    ...toDetail(says.model, record.model && (says.models[record.model] ?? record.model)),
    ...toDetail(says.region, record.region),
    ...toDetail(says.userAgent, record.userAgent),
    ...toDetail(says.grade, says.grades[imported ? "adopted" : grade] ?? grade),
    ...toDetail(says.tool, imported && toToolAnswer(imported, notStated)),
    ...toDetail(says.collection, says.collections[record.collection] ?? record.collection),
    ...toDetail(says.configuration, `${name}\n${record.identifier}`),
    ...toDetail(says.consentId, record.consentId, "mono"),
    ...toDetail(says.project, `${projectName ?? notStated}\n${record.projectId}`),
    ...toDetail(says.controller, responsible),
    ...toDetail(says.value, toJson(record.value), "mono"),
    ...toSignalDetails(record.signals, words),
  ];
}

/** The positions of the record and the published version in the log, and the signatures. */
export function toEvidenceDetails(
  { origin, keys, consent }: ProofBundleOut,
  { place, published }: Statement,
  { words, entry }: { words: Words; entry: string },
): Detail[] {
  const { evidence, notStated } = words;
  const signers = place.signatures.map(({ name, keyId }) => evidence.keyOf(name, keyId));
  const version = published && [
    ...toDetail(
      evidence.version,
      evidence.versionOf(published.version, published.publishedAt ?? notStated),
    ),
    ...toDetail(evidence.versionHash, published.hash, "mono"),
    ...toDetail(
      evidence.versionPlace,
      evidence.placeOf(published.place.index, published.place.size),
    ),
  ];
  return [
    ...toDetail(evidence.log, origin, "mono"),
    ...toDetail(evidence.place, evidence.placeOf(place.index, place.size)),
    ...toDetail(evidence.entry, entry, "mono"),
    ...toDetail(evidence.salt, consent.salt, "mono"),
    ...toDetail(evidence.root, place.root, "mono"),
    ...toDetail(evidence.signatures, signers.join("\n")),
    ...toDetail(evidence.checkpoint, place.checkpoint.trimEnd(), "mono"),
    ...toDetail(evidence.keys, keys.join("\n"), "mono"),
    ...(version ?? []),
  ];
}

/** The other consent tool, and the time of the answer to it. */
function toToolAnswer({ from, answeredAt }: ImportedFrom, notStated: string): string {
  return `${consentToolNames[from]}\n${answeredAt ?? notStated}`;
}

function toDetail(
  label: string,
  text: string | undefined,
  face: Detail["face"] = "text",
): Detail[] {
  return text === undefined ? [] : [{ label, text, face }];
}

/** The signals that are not null; known ones are described. */
function toSignalDetails(
  signals: Statement["record"]["signals"],
  { record: says }: Words,
): Detail[] {
  return Object.entries(signals ?? {}).flatMap(([name, value]) => {
    if (value === null) return [];
    const label = says.signals[name] ?? name;
    if (name === "gpc") return toDetail(label, says.gpc[JSON.stringify(value)] ?? toJson(value));
    return toDetail(label, typeof value === "string" ? value : toJson(value), "mono");
  });
}

function toJson(value: unknown): string | undefined {
  return value === undefined
    ? undefined
    : (JSON.stringify(value, null, 1) ?? "").replaceAll(/\n\s*/g, " ");
}

function toSkew(skewMs: number, { record, locale }: Words): string {
  const form = new Intl.NumberFormat(locale, { minimumFractionDigits: 3 });
  const seconds = form.format(Math.abs(skewMs) / 1000);
  return skewMs > 0 ? record.ahead(seconds) : record.behind(seconds);
}

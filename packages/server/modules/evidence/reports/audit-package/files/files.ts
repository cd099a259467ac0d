import type { Counters } from "../../../../../kernel/counters.ts";
import type { ZipEntry } from "../../../../../platform/text/zip.ts";
import { markup } from "../../../../../platform/text/markup.ts";
import { toBundleText } from "../../statement/bundle-text.ts";
import { proveConsistency } from "../../../log/tree/paths.ts";
import { type EvidenceApp, openTiles } from "../../../proofs/prover.ts";
import { findPublication, findPublishedContent } from "../../../log/sequence/publications.ts";
import { type AuditPackage, headOf, proofPath, versionPath } from "./package.ts";
import {
  type IndexedVersion,
  toIndexEnd,
  toIndexHead,
  toIndexRow,
  toShownHead,
  toVersion,
} from "./index-page.ts";
import { toManifestHead } from "./manifest.ts";
import { readRecords } from "./records.ts";
import { toReadme } from "./readme.ts";
import { listConfigurations, toShownTexts } from "./shown.ts";
import { openSums, whole } from "./sums.ts";
import { writeCsv } from "./table-csv.ts";
import { writeTrail } from "./trail-ndjson.ts";

/** Files of every package besides proofs and versions. */
const OWN_FILES = 8;
/** Files of a time-stamp. */
const STAMP_FILES = 3;

export interface AuditPackageApp extends EvidenceApp {
  /** Included in each package, so that it can be verified offline. */
  verifierPage: Buffer;
  counters: Counters;
}

/** The number of files that a package will have, for progress indicators. */
export function countFiles({ selection, survey, timestamp, hasTrail }: AuditPackage): number {
  const own = OWN_FILES + (hasTrail ? 1 : 0) + (timestamp ? STAMP_FILES : 0);
  return selection.ids.length - survey.pending.size + survey.shown.size + own;
}

/**
 * Generates the files of an audit package one by one: first those for people, then the proofs, and last those with the
 * hashes of all files.
 */
export async function* writeFiles(
  app: AuditPackageApp,
  auditPackage: AuditPackage,
): AsyncGenerator<ZipEntry> {
  const { project, selection, survey, words } = auditPackage;
  const { checkpoint, keys } = headOf(auditPackage);
  const sums = openSums();
  const pages = () => readRecords(app, { projectId: project.id, ids: selection.ids }, survey);
  yield sums.add("index.html", writeIndex(app, auditPackage, pages()));
  yield sums.add("README.txt", whole(toReadme(auditPackage)));
  yield sums.add("consents.csv", writeCsv(pages(), words));
  if (auditPackage.hasTrail) yield sums.add("audit.ndjson", writeTrail(app, auditPackage));
  yield sums.add("verifier.html", whole(app.verifierPage.toString()));
  yield sums.add("log/checkpoint.txt", whole(checkpoint));
  yield sums.add("log/keys.txt", whole(keys.map((key) => `${key}\n`).join("")));
  for (const { path, bytes } of await listStampFiles(app, auditPackage))
    yield sums.add(path, whole(bytes));
  for (const version of survey.shown.keys()) {
    const { content, hash } = await readVersion(app, project.id, version);
    yield sums.add(versionPath(hash), whole(content));
  }
  for await (const page of pages())
    for (const { row, place } of page) {
      if (!place) continue;
      const bundle = await survey.prover.prove(row, place);
      yield sums.add(proofPath(row.id), whole(`${toBundleText(bundle)}\n`));
    }
  yield sums.add("manifest.json", writeManifest(auditPackage, sums.files));
  const lines = sums.files.map(({ path, sha256 }) => `${sha256}  ${path}\n`);
  yield sums.add("SHA256SUMS", whole(lines.join("")));
}

/** A time-stamp, the time-stamped checkpoint, and the proof that the package's tree extends it. */
async function listStampFiles(
  { data }: EvidenceApp,
  auditPackage: AuditPackage,
): Promise<{ path: string; bytes: string | Uint8Array }[]> {
  const { timestamp } = auditPackage;
  if (!timestamp) return [];
  const [from, to] = [timestamp.size, headOf(auditPackage).size];
  const proof = await proveConsistency({ size: to, readTile: openTiles(data) }, from);
  return [
    { path: "log/timestamp.tsr", bytes: timestamp.reply },
    { path: "log/timestamp.txt", bytes: timestamp.checkpoint },
    {
      path: "log/timestamp-consistency.json",
      bytes: `${JSON.stringify({ from, to, proof })}\n`,
    },
  ];
}

async function* writeManifest(
  auditPackage: AuditPackage,
  files: readonly { path: string }[],
): AsyncGenerator<string> {
  const listed = [...files];
  yield `${JSON.stringify(toManifestHead(auditPackage), null, 2).slice(0, -2)},\n  "files": [\n`;
  for (const [at, file] of listed.entries())
    yield `    ${JSON.stringify(file)}${at < listed.length - 1 ? "," : ""}\n`;
  yield "  ]\n}\n";
}

/** The content of a published version, with its hash and date from the log. */
async function readVersion({ db, data }: EvidenceApp, projectId: string, version: number) {
  const row = await findPublication(data, { projectId, version });
  const { hash, publishedAt } = row?.document ?? {};
  if (typeof hash !== "string" || typeof publishedAt !== "string")
    throw new Error(`The log has no entry for version ${version} of ${projectId}.`);
  const content = await findPublishedContent(db, { projectId, version });
  if (content === undefined)
    throw new Error(`There is no content of version ${version} of ${projectId}.`);
  return { hash, publishedAt: new Date(publishedAt), content };
}

type Pages = ReturnType<typeof readRecords>;

async function* writeIndex(
  app: EvidenceApp,
  auditPackage: AuditPackage,
  pages: Pages,
): AsyncGenerator<string> {
  const { project, survey, words } = auditPackage;
  yield toIndexHead(auditPackage).html;
  const versions = new Map<number, IndexedVersion>();
  for (const [version, identifiers] of survey.shown) {
    const { hash, content } = await readVersion(app, project.id, version);
    const names = [...listConfigurations(content, identifiers)].map(
      ([identifier, { name }]) => [identifier, name] as const,
    );
    versions.set(version, { version, hash, names: new Map(names) });
  }
  for await (const page of pages)
    yield page
      .map((one) => toIndexRow(one, words, versions.get(one.row.version ?? Number.NaN)).html)
      .join("");
  yield toShownHead(auditPackage).html;
  for (const [version, identifiers] of survey.shown) {
    const { hash, publishedAt, content } = await readVersion(app, project.id, version);
    const found = listConfigurations(content, identifiers);
    const configurations = [...identifiers].map((identifier) => {
      const configuration = found.get(identifier);
      const texts = configuration
        ? toShownTexts(configuration, words)
        : markup`<p>${words.shown.gone}</p>`;
      return { identifier, name: configuration?.name ?? identifier, texts };
    });
    yield toVersion({ version, hash, publishedAt }, configurations, words).html;
  }
  yield toIndexEnd(auditPackage).html;
}

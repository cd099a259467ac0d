import type { ZipEntry } from "../../../../../platform/text/zip.ts";
import { markup } from "../../../../../platform/text/markup.ts";
import { toBundleText } from "../../statement/bundle-text.ts";
import { proveConsistency } from "../../../log/tree/paths.ts";
import { type EvidenceApp, openTiles } from "../../../proofs/prover.ts";
import { findPublication, findPublishedContent } from "../../../log/sequence/publications.ts";
import { type Dossier, headOf, proofPath, versionPath } from "./package.ts";
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

/** Files of every dossier beside proofs and versions. */
const OWN_FILES = 8;
/** Of a time-stamp. */
const STAMP_FILES = 3;

/** Handed to dossiers. */
export interface DossierApp extends EvidenceApp {
  /** Put into each dossier, so that it can be checked offline. */
  verifierPage: Buffer;
}

/** How many files a dossier will have, for who shows how far it has come. */
export function countFiles({ choice, survey, timestamp, hasTrail }: Dossier): number {
  const own = OWN_FILES + (hasTrail ? 1 : 0) + (timestamp ? STAMP_FILES : 0);
  return choice.ids.length - survey.pending.size + survey.shown.size + own;
}

/**
 * The files of a dossier, each made when it is its turn: what people read first, then the proofs, at
 * last what tells every file's sum.
 */
export async function* writeFiles(app: DossierApp, dossier: Dossier): AsyncGenerator<ZipEntry> {
  const { project, choice, survey, words } = dossier;
  const { checkpoint, keys } = headOf(dossier);
  const sums = openSums();
  const pages = () => readRecords(app, { projectId: project.id, ids: choice.ids }, survey);
  yield sums.add("index.html", writeIndex(app, dossier, pages()));
  yield sums.add("README.txt", whole(toReadme(dossier)));
  yield sums.add("consents.csv", writeCsv(pages(), words));
  if (dossier.hasTrail) yield sums.add("audit.ndjson", writeTrail(app.db, dossier));
  yield sums.add("verifier.html", whole(app.verifierPage.toString()));
  yield sums.add("log/checkpoint.txt", whole(checkpoint));
  yield sums.add("log/keys.txt", whole(keys.map((key) => `${key}\n`).join("")));
  for (const { path, bytes } of await listStampFiles(app, dossier))
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
  yield sums.add("manifest.json", writeManifest(dossier, sums.files));
  const lines = sums.files.map(({ path, sha256 }) => `${sha256}  ${path}\n`);
  yield sums.add("SHA256SUMS", whole(lines.join("")));
}

/** A time-stamp, what it is of, and that the dossier's tree goes on from there. */
async function listStampFiles(
  { db }: EvidenceApp,
  dossier: Dossier,
): Promise<{ path: string; bytes: string | Uint8Array }[]> {
  const { timestamp } = dossier;
  if (!timestamp) return [];
  const [from, to] = [timestamp.size, headOf(dossier).size];
  const proof = await proveConsistency({ size: to, readTile: openTiles(db) }, from);
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
  dossier: Dossier,
  files: readonly { path: string }[],
): AsyncGenerator<string> {
  const listed = [...files];
  yield `${JSON.stringify(toManifestHead(dossier), null, 2).slice(0, -2)},\n  "files": [\n`;
  for (const [at, file] of listed.entries())
    yield `    ${JSON.stringify(file)}${at < listed.length - 1 ? "," : ""}\n`;
  yield "  ]\n}\n";
}

/** What was published as a version, with its hash and its date as the log has them. */
async function readVersion({ db }: EvidenceApp, projectId: string, version: number) {
  const row = await findPublication(db, { projectId, version });
  const { hash, publishedAt } = row?.document ?? {};
  if (typeof hash !== "string" || typeof publishedAt !== "string")
    throw new Error(`The log was not told of version ${version} of ${projectId}.`);
  const content = await findPublishedContent(db, { projectId, version });
  if (content === undefined)
    throw new Error(`There is no content of version ${version} of ${projectId}.`);
  return { hash, publishedAt: new Date(publishedAt), content };
}

type Pages = ReturnType<typeof readRecords>;

async function* writeIndex(
  app: EvidenceApp,
  dossier: Dossier,
  pages: Pages,
): AsyncGenerator<string> {
  const { project, survey, words } = dossier;
  yield toIndexHead(dossier).html;
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
  yield toShownHead(dossier).html;
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
  yield toIndexEnd(dossier).html;
}

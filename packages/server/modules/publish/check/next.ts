import type { Scope } from "../../../kernel/actor.ts";
import { Fault } from "../../../platform/errors.ts";
import { getProject } from "../../vault/documents/access.ts";
import { type Changes, listChanges } from "../changes/changes.ts";
import { type Content, parseContent } from "@avow/contract/published";
import { toSources } from "../content/content.ts";
import { type AsksAgain, findAsksAgain, assignNextDigests } from "../publications/materiality.ts";
import { findNewestPublication, findPublishedContent } from "../publications/publications-store.ts";
import { toDraftDigest } from "../approval/approving.ts";
import { withPictures } from "../publications/pictures.ts";
import type { Publishing } from "../publications/publishing.ts";
import { type ContentSource, type Drafting, readContent } from "../publications/reading.ts";
import type { Target } from "../publications/store.ts";
import { listTcfChanges } from "../tcf/tcf-changes.ts";
import type { TcfContent } from "@avow/contract/tcf";
import { readTcf } from "../tcf/vendor-list.ts";

/** Limits the time of a request. */
const TOKENS_MAX = 100_000;

/** A version by its number, the live version, or the content that would be published next. */
export type VersionName = "live" | "next" | `${number}`;

interface VersionContent {
  version: number | null;
  content: Content | undefined;
  tcf: TcfContent | undefined;
}

export type ReadServices = Pick<
  Publishing,
  "db" | "buckets" | "now" | "config" | "objects" | "renders" | "spool"
>;

/**
 * Reads the content that would be published now, without version and job id; `toDigest` hashes what approvals name;
 * `drafting` replaces documents by drafts. Throws like `readContent`.
 */
export async function readNext(
  app: ReadServices,
  { projectId, environment }: Target,
  drafting?: Drafting,
): Promise<ContentSource & { toDigest: () => string }> {
  const source = { project_id: projectId, environment, rollback_of: null };
  const imprint = { publishedAt: app.now().toISOString(), version: 0, jobId: "" };
  const read = await readContent(app, source, imprint, drafting);
  const options = { isPublished: false, hasTime: () => false };
  const toDigest = () => toDraftDigest(read);
  return { ...read, ...(await withPictures(app, read.content, options)), toDigest };
}

/** The re-consents caused by publishing this content, counted up to 100,000. */
export async function findNextAsksAgain(
  app: Pick<Publishing, "buckets">,
  projectId: string,
  content: Content,
): Promise<AsksAgain> {
  const { data } = await app.buckets.of(projectId);
  const offers = await assignNextDigests(data, projectId, toSources(content));
  return countAsksAgain(app, projectId, offers);
}

/** The re-consents caused by publishing these offers, counted up to 100,000. */
export async function countAsksAgain(
  app: Pick<Publishing, "buckets">,
  projectId: string,
  offers: Awaited<ReturnType<typeof assignNextDigests>>,
): Promise<AsksAgain> {
  const { data } = await app.buckets.of(projectId);
  return findAsksAgain(data, { projectId, offers, max: TOKENS_MAX });
}

/** The changes between two versions; `asksAgain` only from `live` to `next` in production. */
export interface Diff extends Changes {
  from: number | null;
  to: number | null;
  asksAgain: AsksAgain | undefined;
}

/**
 * @throws Fault not-found (the project, a version), impossible when the next content cannot be built
 */
export async function diffPublications(
  app: ReadServices,
  scope: Scope,
  { from, to, ...target }: Target & { from: VersionName; to: VersionName },
): Promise<Diff> {
  const project = await getProject(app.db, scope, target.projectId);
  const live =
    target.environment === "production"
      ? project.live_version
      : ((await findNewestPublication(app.db, target))?.version ?? null);
  const read = async (name: VersionName): Promise<VersionContent> => {
    if (name === "next") {
      const { content, tcf: settings } = await readNext(app, target);
      const { tcf } = await readTcf(app, content, settings);
      return { version: null, content, tcf };
    }
    const version = name === "live" ? live : Number(name);
    if (version === null) return { version, content: undefined, tcf: undefined };
    const text = await findPublishedContent(app.db, target, version);
    if (text !== undefined) {
      const content = parseContent(text);
      return { version, content, tcf: content.widget?.tcf };
    }
    const where = `version ${version} in ${target.environment}`;
    throw new Fault("not-found", `The project has no ${where}.`);
  };
  const [before, after] = [await read(from), await read(to)];
  if (!after.content) throw new Fault("not-found", "The project has no live version.");
  const isPublishing = from === "live" && to === "next" && target.environment === "production";
  return {
    from: before.version,
    to: after.version,
    ...listChanges(before.content, after.content, listTcfChanges(before.tcf, after.tcf)),
    asksAgain: isPublishing
      ? await findNextAsksAgain(app, target.projectId, after.content)
      : undefined,
  };
}

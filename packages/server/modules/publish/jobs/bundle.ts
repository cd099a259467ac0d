import { createHash } from "node:crypto";
import type { Tx } from "../../../platform/db/db.ts";
import { getProject } from "../../vault/documents/access.ts";
import { siteOf } from "../check/checking.ts";
import { isWithinPlan } from "../check/checks.ts";
import { listHeldBack, toResults } from "../check/holding.ts";
import { composeContent, withHeldBack } from "../selection/composed.ts";
import { type Content, parseContent } from "@avow/contract/published";
import { toCanonical, toFiles, toSources } from "../content/content.ts";
import { blockObject, immutableObject, servedObject, widgetObject } from "../publications/files.ts";
import {
  findAsksAgain,
  describeAsksAgain,
  assignNextDigests,
} from "../publications/materiality.ts";
import { assertApproved, toDraftDigest } from "../approval/approving.ts";
import { withPictures } from "../publications/pictures.ts";
import { findNewestPublication, findPublishedContent } from "../publications/publications-store.ts";
import type { Outcome, Publishing, PictureBudget } from "../publications/publishing.ts";
import { findLiveContent, readContent } from "../publications/reading.ts";
import type { HeldBack } from "../selection/selection.ts";
import {
  type JobChange,
  type JobRow,
  type Target,
  type PublishedFile,
  findJob,
  lockProjectFiles,
  nextVersion,
} from "../publications/store.ts";
import { listTcfChanges, describeTcfAsksAgain } from "../tcf/tcf-changes.ts";
import type { TcfContent } from "@avow/contract/tcf";
import { assertPublishable } from "./publish.ts";
import { readTcf } from "../tcf/vendor-list.ts";
import { toBlockFile } from "../content/host-list.ts";
import { withWidget } from "../content/widget-content.ts";

/** High enough to count every token: a background job has the time. */
const TOKENS_MAX = 100_000_000;
const NAMES_SHOWN = 5;

/**
 * Step 1: builds the content of the new version and counts the re-consents it causes. Time, version and
 * job id are fixed here, so that later steps write the same bytes on every retry. When the live content
 * is the same, the job keeps that version. Parts that are not selected, and configurations with errors, stay at
 * their live version. Content beyond the plan's limits gets no pictures, since the
 * next step rejects it.
 * @throws Fault as `readContent`, and approval-needed for a draft that was changed since the request; PicturesPending
 */
export async function bundleProject(
  app: Publishing,
  job: JobRow,
  budget: PictureBudget,
): Promise<Outcome> {
  const { project_id: projectId, environment } = job;
  // A job that was scheduled before the project became a template.
  assertPublishable(await getProject(app.db, { kind: "system" }, projectId));
  const imprint = { publishedAt: app.now().toISOString(), version: 0, jobId: job.id };
  const read = await readContent(app, job, imprint);
  const toDigest = async () => toDraftDigest(read);
  const approval = await assertApproved(app, app.db, { ...job, toDigest });
  const live = await findLiveContent(app.db, { projectId, environment }, imprint);
  const { content: asked, heldBack } = await selectContent(app, job, { ...read, live });
  const pictured = (await isWithinPlan(app, job, asked))
    ? await withPictures(app, asked, { isPublished: true, ...budget })
    : { content: asked, notes: [] };
  const { tcf, notes } = await readTcf(app, pictured.content, read.tcf);
  const { data } = await app.buckets.of(projectId);
  const offers = await assignNextDigests(data, projectId, toSources(pictured.content));
  const content = withWidget(pictured.content, { hash: app.widget.hash, tcf, offers });
  const results =
    job.rollback_of === null
      ? toResults({ ...read, content, live, selection: job.selection }, heldBack)
      : null;
  const unchanged = await findUnchanged(app, { projectId, environment }, content);
  if (unchanged) {
    const sentences = [
      `Nothing has changed since version ${unchanged.version}, which stays live.`,
      ...describeHeldBack(heldBack),
    ];
    return {
      message: sentences.join(" "),
      change: async () => ({ ...unchanged, unchanged: true, results, approval }),
    };
  }
  const isLive = environment === "production";
  const asksAgain = isLive
    ? await findAsksAgain(data, { projectId, offers, max: TOKENS_MAX })
    : null;
  const details = [
    ...notes,
    ...pictured.notes,
    ...(isLive && tcf ? await findTcfAsksAgain(app, projectId, tcf) : []),
  ];
  const sentences = [
    toCount(content),
    ...describeHeldBack(heldBack),
    ...details,
    ...(asksAgain ? [describeAsksAgain(asksAgain)] : []),
  ];
  return {
    message: sentences.join(" "),
    change: async (tx) => ({
      ...(await assignVersion(app, tx, { target: { projectId, environment }, content })),
      asks_again: asksAgain,
      results,
      approval,
    }),
  };
}

interface ReadContent {
  content: Content;
  live: Content | undefined;
  versions: ReadonlyMap<string, number>;
}

/** The content that a job was asked for, with configurations held back that have errors. A rollback restores all of a version. */
async function selectContent(
  app: Publishing,
  job: JobRow,
  { content: next, live, versions }: ReadContent,
): Promise<{ content: Content; heldBack: HeldBack[] }> {
  const { selection } = job;
  if (job.rollback_of !== null) return { content: next, heldBack: [] };
  const content = selection ? composeContent(next, live, selection) : next;
  const project = await getProject(app.db, { kind: "system" }, job.project_id);
  const checked = await withPictures(app, content, { isPublished: false, hasTime: () => false });
  const heldBack = listHeldBack({
    content: checked.content,
    live,
    selection,
    versions,
    site: siteOf(app, project.body),
    holdsForceable: job.environment === "production" && !job.forced,
  });
  const held = new Set(heldBack.map(({ identifier }) => identifier));
  return { content: withHeldBack(content, live, held), heldBack };
}

function describeHeldBack(heldBack: readonly HeldBack[]): string[] {
  if (heldBack.length === 0) return [];
  const names = heldBack.slice(0, NAMES_SHOWN).map(({ name }) => `“${name}”`);
  const more = heldBack.length > names.length ? ` and ${heldBack.length - names.length} more` : "";
  return [`Held back: ${names.join(", ")}${more}.`];
}

/** Changes of the layout `iab` that ask everybody again, in words; none where it was not live before. */
async function findTcfAsksAgain(
  app: Pick<Publishing, "db">,
  projectId: string,
  tcf: TcfContent,
): Promise<string[]> {
  const target = { projectId, environment: "production" } as const;
  const newest = await findNewestPublication(app.db, target);
  const text = newest && (await findPublishedContent(app.db, target, newest.version));
  const before = text === undefined ? undefined : parseContent(text).widget?.tcf;
  return describeTcfAsksAgain(before, listTcfChanges(before, tcf));
}

function toCount(content: Content): string {
  const { cookies, processings, contracts, contractsV2 } = content;
  const count = [cookies, processings, contracts, contractsV2].flat().length;
  return `${count} ${count === 1 ? "configuration" : "configurations"}.`;
}

/** Assigns the next version number to a content. */
async function assignVersion(
  app: Pick<Publishing, "widget" | "config">,
  tx: Tx,
  { target, content }: { target: Target; content: Content },
): Promise<JobChange> {
  await lockProjectFiles(tx, target.projectId);
  const version = await nextVersion(tx, target);
  const text = toCanonical({ ...content, version } satisfies Content);
  const { hash, served } = toFiles(text);
  const files = toPublishedFiles(app, target, text);
  return { content: text, hash, size: served.length, version, files };
}

/** The published files with their hashes for Subresource Integrity (W3C). */
function toPublishedFiles(
  { widget, config }: Pick<Publishing, "widget" | "config">,
  target: Target,
  text: string,
): PublishedFile[] {
  const { hash, immutable, served } = toFiles(text);
  const block = toBlockFile(widget.blocker, parseContent(text), config);
  return [
    toPublishedFile(servedObject(target).key, served),
    ...(block ? [toPublishedFile(blockObject(target).key, block)] : []),
    toPublishedFile(immutableObject(target.projectId, hash).key, immutable),
    toPublishedFile(widgetObject(widget.hash).key, widget.entry.identity),
  ];
}

function toPublishedFile(key: string, bytes: Buffer): PublishedFile {
  const digest = createHash("sha384").update(bytes).digest("base64");
  return { key, integrity: `sha384-${digest}`, size: bytes.length };
}

/** The live version, if its content is the same apart from its time, version and job id. */
async function findUnchanged(
  app: Publishing,
  target: Target,
  content: Content,
): Promise<JobChange | undefined> {
  const newest = await findNewestPublication(app.db, target);
  if (!newest) return undefined;
  if (target.environment === "production") {
    const project = await getProject(app.db, { kind: "system" }, target.projectId);
    if (project.live_version !== newest.version) return undefined;
  }
  const { version, hash, size } = newest;
  // A job that failed may have left an older file in the CDN's caches.
  const job = await findJob(app.db, newest.job_id);
  if (job?.status !== "Done") return undefined;
  const text = await findPublishedContent(app.db, target, version);
  if (text === undefined || toComparable(parseContent(text)) !== toComparable(content))
    return undefined;
  return { content: text, version, hash, size, files: toPublishedFiles(app, target, text) };
}

function toComparable(content: Content): string {
  return toCanonical({ ...content, publishedAt: "", version: 0, jobId: "" });
}

import { createHash } from "node:crypto";
import type { Tx } from "../../../platform/db/db.ts";
import { getProject } from "../../vault/documents/access.ts";
import { isWithinPlan } from "../check/checks.ts";
import { type Content, parseContent } from "@avow/contract/published";
import { toCanonical, toFiles, toSources } from "../content/content.ts";
import { immutableObject, servedObject, widgetObject } from "../publications/files.ts";
import { findAsksAgain, sayAsksAgain, settleNext } from "../publications/materiality.ts";
import { withPictures } from "../publications/pictures.ts";
import { findNewestPublication, findPublishedContent } from "../publications/publications-store.ts";
import type { Outcome, Publishing, Turn } from "../publications/publishing.ts";
import { readContent } from "../publications/reading.ts";
import {
  type JobChange,
  type JobRow,
  type Place,
  type PublishedFile,
  findJob,
  lockProjectFiles,
  nextVersion,
} from "../publications/store.ts";
import { listTcfChanges, sayTcfAsksAgain } from "../tcf/tcf-changes.ts";
import type { TcfContent } from "@avow/contract/tcf";
import { readTcf } from "../tcf/vendor-list.ts";
import { withWidget } from "../content/widget-content.ts";

/** A background job has the time to count everybody. */
const TOKENS_MAX = 100_000_000;

/**
 * Step 1: everything that is published, and what people are asked again by it. When, as which version
 * and by which job is fixed here: later steps, however often, write the same. Where what is live is the
 * same, there is nothing left to do. What the plan does not allow is left without its pictures: the next
 * step refuses it.
 * @throws Fault as `readContent`; PicturesUnmade
 */
export async function bundleProject(app: Publishing, job: JobRow, turn: Turn): Promise<Outcome> {
  const { project_id: projectId, environment } = job;
  const imprint = { publishedAt: app.now().toISOString(), version: 0, jobId: job.id };
  const read = await readContent(app, job, imprint);
  const pictured = (await isWithinPlan(app, job, read.content))
    ? await withPictures(app, read.content, { isPublished: true, ...turn })
    : { content: read.content, notes: [] };
  const { tcf, notes } = await readTcf(app.config, pictured.content, read.tcf);
  const offers = await settleNext(app.db, projectId, toSources(pictured.content));
  const content = withWidget(pictured.content, { hash: app.widget.hash, tcf, offers });
  const standing = await findStanding(app, { projectId, environment }, content);
  if (standing) {
    const message = `Nothing has changed since version ${standing.version}: it stays as it is.`;
    return { message, change: async () => ({ ...standing, unchanged: true }) };
  }
  const isLive = environment === "production";
  const asksAgain = isLive
    ? await findAsksAgain(app.db, { projectId, offers, max: TOKENS_MAX })
    : null;
  const told = [
    ...notes,
    ...pictured.notes,
    ...(isLive && tcf ? await findTcfAsksAgain(app, projectId, tcf) : []),
  ];
  const said = [toCount(content), ...told, ...(asksAgain ? [sayAsksAgain(asksAgain)] : [])];
  return {
    message: said.join(" "),
    change: async (tx) => ({
      ...(await number(app, tx, { place: { projectId, environment }, content })),
      asks_again: asksAgain,
    }),
  };
}

/** What the layout `iab` asks everybody again, in words; nothing where it was not live yet. */
async function findTcfAsksAgain(
  app: Pick<Publishing, "db">,
  projectId: string,
  tcf: TcfContent,
): Promise<string[]> {
  const place = { projectId, environment: "production" } as const;
  const newest = await findNewestPublication(app.db, place);
  const text = newest && (await findPublishedContent(app.db, place, newest.version));
  const before = text === undefined ? undefined : parseContent(text).widget?.tcf;
  return sayTcfAsksAgain(before, listTcfChanges(before, tcf));
}

function toCount(content: Content): string {
  const { cookies, processings, contracts, contractsV2 } = content;
  const count = [cookies, processings, contracts, contractsV2].flat().length;
  return `${count} ${count === 1 ? "configuration" : "configurations"}.`;
}

/** A content as the next version of its place. */
async function number(
  app: Pick<Publishing, "widget">,
  tx: Tx,
  { place, content }: { place: Place; content: Content },
): Promise<JobChange> {
  await lockProjectFiles(tx, place.projectId);
  const version = await nextVersion(tx, place);
  const text = toCanonical({ ...content, version } satisfies Content);
  const { hash, served } = toFiles(text);
  const files = toPublishedFiles(app, place, text);
  return { content: text, hash, size: served.length, version, files };
}

/** The published files with what browsers check them by (Subresource Integrity, W3C). */
function toPublishedFiles(
  { widget }: Pick<Publishing, "widget">,
  place: Place,
  text: string,
): PublishedFile[] {
  const { hash, immutable, served } = toFiles(text);
  return [
    toPublishedFile(servedObject(place).key, served),
    toPublishedFile(immutableObject(place.projectId, hash).key, immutable),
    toPublishedFile(widgetObject(widget.hash).key, widget.entry.identity),
  ];
}

function toPublishedFile(key: string, bytes: Buffer): PublishedFile {
  const digest = createHash("sha384").update(bytes).digest("base64");
  return { key, integrity: `sha384-${digest}`, size: bytes.length };
}

/**
 * What is published at a place, where it is this content, when and by which job aside.
 */
async function findStanding(
  app: Publishing,
  place: Place,
  content: Content,
): Promise<JobChange | undefined> {
  const newest = await findNewestPublication(app.db, place);
  if (!newest) return undefined;
  if (place.environment === "production") {
    const project = await getProject(app.db, { kind: "system" }, place.projectId);
    if (project.live_version !== newest.version) return undefined;
  }
  const { version, hash, size } = newest;
  // One that did not come to its end may have left an older file in the content network.
  const made = await findJob(app.db, newest.job_id);
  if (made?.status !== "Done") return undefined;
  const text = await findPublishedContent(app.db, place, version);
  if (text === undefined || toComparable(parseContent(text)) !== toComparable(content))
    return undefined;
  return { content: text, version, hash, size, files: toPublishedFiles(app, place, text) };
}

function toComparable(content: Content): string {
  return toCanonical({ ...content, publishedAt: "", version: 0, jobId: "" });
}

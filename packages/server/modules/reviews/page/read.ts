import type { Scope } from "../../../kernel/actor.ts";
import { type AnyConfiguration, type ListName, listNames } from "@avow/contract/published";
import { isObject } from "@avow/contract/json";
import { titleOf } from "@avow/contract/labels";
import { type ShownPart, toShown } from "../../evidence/reports/statement/shown.ts";
import type { Change } from "../../publish/changes/changes.ts";
import { previewProject } from "../../publish/check/previewing.ts";
import { diffPublications } from "../../publish/check/next.ts";
import { getProject } from "../../vault/documents/access.ts";
import type { StatedDecision } from "../approvals/approvals.ts";
import { readLinkDecisions } from "../approvals/approvals.ts";
import { type Thread, listThreads } from "../comments/comments.ts";
import type { LinkRow } from "../links/links.ts";
import type { ReviewsApp } from "../ports.ts";

const system: Scope = { kind: "system" };
const THREADS_SHOWN = 100;

/** A part of a configuration with its texts, and its JSON pointer. */
export interface DraftPart extends ShownPart {
  pointer: string;
}

/** A configuration of a draft. */
export interface DraftConfiguration {
  id: string;
  list: ListName;
  name: string;
  language: string | undefined;
  parts: DraftPart[];
}

/** Everything that the review page shows of a project. */
export interface Draft {
  projectId: string;
  projectName: string;
  websiteUrl: string;
  live: { version: number; publishedAt: Date } | undefined;
  digest: string;
  preview: Awaited<ReturnType<typeof previewProject>>;
  changes: Change[];
  changeCount: number;
  configurations: DraftConfiguration[];
  threads: Thread[];
  hasMoreThreads: boolean;
  /** The decision of the link on the draft as it is now. */
  decision: StatedDecision | undefined;
  /** Whether the link's newest decision is about an earlier draft. */
  isVoid: boolean;
  /** Whether an approval by the link counts. */
  counts: boolean;
}

/**
 * Reads a project's draft for its review page. The digest is of the texts that are shown: if the draft is changed while
 * it is read, a decision on it is rejected.
 * @throws Fault not-found, impossible when no content can be built
 */
export async function readDraft(app: ReviewsApp, link: LinkRow): Promise<Draft> {
  const projectId = link.project_id;
  const project = await getProject(app.db, system, projectId);
  const preview = await previewProject(app, system, { projectId, drafts: [], removed: [] });
  const target = { projectId, environment: "production", from: "live", to: "next" } as const;
  const { changes, count } = await diffPublications(app, system, target);
  const query = { projectId, status: undefined, configurationId: undefined, cursor: undefined };
  const threads = await listThreads(app.db, system, { ...query, limit: THREADS_SHOWN });
  const { content } = preview;
  const digest = preview.toDigest();
  const { live_version: version, published_at: publishedAt } = project;
  return {
    projectId,
    projectName: content.projectName,
    websiteUrl: project.body.websiteURL,
    live: version !== null && publishedAt ? { version, publishedAt } : undefined,
    digest,
    preview,
    changes,
    changeCount: count,
    configurations: listNames.flatMap((list) =>
      content[list].map((configuration) =>
        toDraftConfiguration(list, configuration as AnyConfiguration),
      ),
    ),
    threads: threads.items,
    hasMoreThreads: threads.next !== undefined,
    ...(await readLinkDecisions(app.db, { link, digest })),
  };
}

function toDraftConfiguration(list: ListName, one: AnyConfiguration): DraftConfiguration {
  const { identifier: id = "", language } = one;
  const { name } = one as { name?: unknown };
  const parts = toShown(one);
  const pointers = toPointers(one);
  return {
    id,
    list,
    name: typeof name === "string" && name !== "" ? name : (titleOf(one) ?? id),
    language,
    parts: parts
      .map((part, at) => ({ ...part, pointer: pointers[at] ?? "" }))
      .filter(({ texts }) => texts.length > 0),
  };
}

/** The JSON pointers of the parts of a configuration, in the order of `toShown`. */
function toPointers({ steps = [] }: AnyConfiguration): string[] {
  const ofSteps = steps.flatMap((step, at) => {
    const { vendors = [] } = isObject(step) ? step : {};
    const path = `/steps/${at}`;
    return [path, ...(vendors as unknown[]).map((_, n) => `${path}/vendors/${n}`)];
  });
  return ["", ...ofSteps];
}

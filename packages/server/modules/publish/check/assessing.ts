import { parseContent } from "@avow/contract/published";
import type { ProjectRow } from "../../vault/documents/access.ts";
import { type Changes, listChanges } from "../changes/changes.ts";
import type { AsksAgain } from "../publications/materiality.ts";
import { findPublishedContent } from "../publications/publications-store.ts";
import type { Drafting } from "../publications/reading.ts";
import { listTcfChanges } from "../tcf/tcf-changes.ts";
import { readTcf } from "../tcf/vendor-list.ts";
import { type CheckServices, type HoldingCheck, checkHolding } from "./checking.ts";
import { findNextAsksAgain, readNext } from "./next.ts";

/** The effect that publishing a project would have. */
export interface Assessment extends HoldingCheck {
  changes: Changes;
  asksAgain: AsksAgain;
}

/**
 * The changes, re-consents and findings of publishing a project to production, with `drafting` in place of stored
 * documents. Publishes nothing.
 * @throws Fault impossible when no content can be built
 */
export async function assessProject(
  app: CheckServices,
  project: ProjectRow,
  drafting: Drafting,
): Promise<Assessment> {
  const { id: projectId, live_version: version } = project;
  const target = { projectId, environment: "production" } as const;
  const source = await readNext(app, target, drafting);
  const { tcf } = await readTcf(app, source.content, source.tcf);
  const text = version === null ? undefined : await findPublishedContent(app.db, target, version);
  const live = text === undefined ? undefined : parseContent(text);
  return {
    ...(await checkHolding(app, drafting.toDrafted(project), source)),
    changes: listChanges(live, source.content, listTcfChanges(live?.widget?.tcf, tcf)),
    asksAgain: await findNextAsksAgain(app, projectId, source.content),
  };
}

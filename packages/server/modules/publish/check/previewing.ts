import type { JsonObject } from "@avow/contract/json";
import type { Scope } from "../../../kernel/actor.ts";
import { Fault, assertNoFaults } from "../../../platform/errors.ts";
import { type DocumentRow, getProject } from "../../vault/documents/access.ts";
import { toBody } from "../../vault/documents/documents.ts";
import { resourceOf } from "../../vault/schemas/resources.ts";
import { type Vault, findBodyFaults } from "../../vault/documents/vault.ts";
import type { Check } from "./rules/rules.ts";
import { type Checking, checkNext } from "./checking.ts";
import type { Content } from "@avow/contract/published";
import { settleNext } from "../publications/materiality.ts";
import { readNext } from "./next.ts";
import { toSources } from "../content/content.ts";
import type { Publishing } from "../publications/publishing.ts";
import { readTcf } from "../tcf/vendor-list.ts";
import { withWidget } from "../content/widget-content.ts";

/** A document as somebody is writing it. */
export interface Draft {
  id: string;
  body: JsonObject;
}

/** What previewing needs. */
export type Previewing = Checking & Pick<Publishing, "widget"> & Pick<Vault, "checks">;

/**
 * What would be published of a project, were drafts of it and of its configurations saved before, and what
 * the publish check says of that; nothing is saved or published.
 * @throws Fault not-found (the project), invalid (a draft that could not be saved, every fault under
 *   `/documents/N/body`), impossible when it cannot be bundled at all
 */
export async function previewProject(
  app: Previewing,
  scope: Scope,
  { projectId, drafts }: { projectId: string; drafts: readonly Draft[] },
): Promise<Check & { content: Content }> {
  const project = await getProject(app.db, scope, projectId);
  const place = { projectId, environment: "production" } as const;
  const { toDrafted, assertAllUsed } = openDrafts(app, drafts);
  const { content, tcf: settings } = await readNext(app, place, toDrafted);
  assertAllUsed();
  const { tcf } = await readTcf(app.config, content, settings);
  const offers = await settleNext(app.db, projectId, toSources(content));
  return {
    ...(await checkNext(app, toDrafted(project), content)),
    content: withWidget(content, { hash: app.widget.hash, tcf, offers }),
  };
}

function openDrafts(app: Pick<Vault, "checks">, drafts: readonly Draft[]) {
  const used = new Set<number>();
  return {
    /** A row as its draft would leave it. @throws Fault invalid */
    toDrafted: <R extends DocumentRow>(row: R): R => {
      const at = drafts.findIndex(({ id }) => id === row.id);
      const draft = drafts[at];
      if (!draft) return row;
      used.add(at);
      const body = toBody(resourceOf(row.resource), draft.body);
      const faults = findBodyFaults(app, row.resource, body);
      assertNoFaults(
        faults.map(({ path, message }) => ({ path: `/documents/${at}/body${path}`, message })),
      );
      return { ...row, body };
    },
    /** @throws Fault invalid where a draft is of nothing that the project has */
    assertAllUsed: (): void => {
      const faults = drafts.flatMap((_, at) =>
        used.has(at)
          ? []
          : [{ path: `/documents/${at}/id`, message: "is nothing that the project has" }],
      );
      if (faults.length > 0)
        throw new Fault("invalid", "A draft is of another project, or twice.", { faults });
    },
  };
}

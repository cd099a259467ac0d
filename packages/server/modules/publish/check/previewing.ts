import type { JsonObject } from "@avow/contract/json";
import type { Scope } from "../../../kernel/actor.ts";
import { Fault, assertNoFaults } from "../../../platform/errors.ts";
import { type DocumentRow, getProject } from "../../vault/documents/access.ts";
import { readInput } from "../../vault/schemas/input.ts";
import { resourceOf } from "../../vault/schemas/resources.ts";
import { type Vault, findBodyFaults } from "../../vault/documents/vault.ts";
import type { Check } from "./rules/rules.ts";
import { type CheckServices, checkNext } from "./checking.ts";
import type { Content } from "@avow/contract/published";
import { assignNextDigests } from "../publications/materiality.ts";
import { readNext } from "./next.ts";
import { toSources } from "../content/content.ts";
import type { Publishing } from "../publications/publishing.ts";
import { readTcf } from "../tcf/vendor-list.ts";
import { withWidget } from "../content/widget-content.ts";

/** An unsaved state of a document. */
export interface Draft {
  id: string;
  body: JsonObject;
}

export type PreviewServices = CheckServices &
  Pick<Publishing, "buckets" | "widget"> &
  Pick<Vault, "checks">;

/**
 * Builds and checks the content that would be published with drafts of the project and its configurations.
 * Saves and publishes nothing.
 * @throws Fault not-found (the project), invalid (an invalid draft, each fault under `/documents/N/body`),
 *   impossible when no content can be built
 */
export async function previewProject(
  app: PreviewServices,
  scope: Scope,
  { projectId, drafts }: { projectId: string; drafts: readonly Draft[] },
): Promise<Check & { content: Content }> {
  const project = await getProject(app.db, scope, projectId);
  const target = { projectId, environment: "production" } as const;
  const { toDrafted, assertAllUsed } = openDrafts(app, drafts);
  const { content, tcf: settings } = await readNext(app, target, toDrafted);
  assertAllUsed();
  const { tcf } = await readTcf(app, content, settings);
  const offers = await assignNextDigests(
    (await app.buckets.of(projectId)).data,
    projectId,
    toSources(content),
  );
  return {
    ...(await checkNext(app, toDrafted(project), content)),
    content: withWidget(content, { hash: app.widget.hash, tcf, offers }),
  };
}

function openDrafts(app: Pick<Vault, "checks">, drafts: readonly Draft[]) {
  const used = new Set<number>();
  return {
    /** A row with the body of its draft. @throws Fault invalid */
    toDrafted: <R extends DocumentRow>(row: R): R => {
      const at = drafts.findIndex(({ id }) => id === row.id);
      const draft = drafts[at];
      if (!draft) return row;
      used.add(at);
      const { body } = readInput(resourceOf(row.resource), draft.body, { present: row });
      const faults = findBodyFaults(app, row.resource, body);
      assertNoFaults(
        faults.map(({ path, message }) => ({ path: `/documents/${at}/body${path}`, message })),
      );
      return { ...row, body };
    },
    /** @throws Fault invalid when a draft is of no document of the project */
    assertAllUsed: (): void => {
      const faults = drafts.flatMap((_, at) =>
        used.has(at)
          ? []
          : [{ path: `/documents/${at}/id`, message: "is no document of the project" }],
      );
      if (faults.length > 0)
        throw new Fault("invalid", "A draft belongs to another project, or is given twice.", {
          faults,
        });
    },
  };
}

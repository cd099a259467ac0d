import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { newDocumentId } from "../../packages/server/kernel/ids.ts";
import { findApprovals } from "../../packages/server/modules/reviews/approvals/counting.ts";
import type { TemplatesApp } from "../../packages/server/modules/templates/ports.ts";
import {
  type PublicationRow,
  findPublicationRow,
  insertPublication,
} from "../../packages/server/modules/templates/publications-store.ts";
import {
  type PublicationJob,
  resumePublications,
  sendNext,
  toJob,
} from "../../packages/server/modules/templates/queue.ts";
import { runPublication } from "../../packages/server/modules/templates/run.ts";
import { compileChecks } from "../../packages/server/modules/vault/schemas/checks.ts";
import { inTransaction } from "../../packages/server/platform/db/transaction.ts";
import { service } from "../harness.ts";
import { requireApprovals } from "./reviewing.ts";
import { openPublishing } from "./stepwise.ts";
import { change, newTemplate, newTemplateSite, only, type Template } from "./template-sites.ts";

/** A publication outside the queue, so that the service's own worker does not run it. */
async function newPublication(
  { id, userId }: Template,
  sites: readonly string[] = [],
): Promise<PublicationRow> {
  const now = service.clock.now();
  const row = { id: newDocumentId(now), template_id: id, created_at: now, created_by: userId };
  const titled = sites.map((site) => ({ id: site, title: "Site" }));
  const inserted = await inTransaction(service.db, (tx) => insertPublication(tx, row, titled));
  assert.ok(inserted);
  return inserted;
}

/** Templates whose clock advances by half a second with each look at it, and that record the jobs that they send. */
function openTemplates(publication: PublicationRow) {
  let time = publication.created_at.getTime();
  const sent: PublicationJob[] = [];
  const publishing = openPublishing({ now: () => new Date((time += 500)) });
  const jobs: TemplatesApp["jobs"] = {
    ...publishing.jobs,
    sendJob: async (_, { data }) => {
      if ("publicationId" in data && data.publicationId === publication.id)
        sent.push(data as PublicationJob);
    },
  };
  return { app: { ...publishing, jobs, checks: compileChecks() }, sent };
}

describe("the queue of a template's publications", () => {
  it("resumes a publication once, and ends the jobs that it replaces", async () => {
    const publication = await newPublication(await newTemplate());
    const { app, sent } = openTemplates(publication);
    const before = publication.created_at;
    await resumePublications(app, before);
    await resumePublications(app, before);
    const [resumed] = sent;
    assert.ok(resumed);
    assert.equal(sent.length, 1);
    await sendNext(app, toJob(publication).data);
    assert.equal(sent.length, 1, "the job before the resumed one sends no further");
    await sendNext(app, resumed);
    assert.equal(sent.length, 2);
    assert.notEqual(sent[1]?.sentAt, resumed.sentAt);
  });

  it("retries a site after an error while it is left to its approvers, and ends the others", async () => {
    const template = await newTemplate();
    const { token, organizationId } = template;
    const site = await newTemplateSite(template);
    const { id: other } = await service.newProject(token, { organizationId });
    await requireApprovals(token, site);
    await change(token, `cookies/${template.cookies}`, { title: "We value your privacy" });
    const publication = await newPublication(template, [site, other]);
    const { app, sent } = openTemplates(publication);
    let failsAt = Infinity;
    let asked = 0;
    const failing: TemplatesApp = {
      ...app,
      findApprovals: (db, draft) => {
        asked += 1;
        if (asked === 1) failsAt = 1;
        return findApprovals(db, draft);
      },
      now: () => {
        failsAt -= 1;
        if (failsAt === 0) throw new Error("an error of the service");
        return app.now();
      },
    };
    await runPublication(failing, toJob(publication).data);
    assert.equal(failsAt < 0, true, "the error was thrown");
    assert.equal(asked, 2, "the site was tried again");
    const ended = await findPublicationRow(service.db, publication.id);
    assert.deepEqual([ended?.status, ended?.counts], ["Done", { Failed: 1, Skipped: 1 }]);
    assert.equal((await only(token, "cookies", site)).title, "We value your privacy");
    assert.deepEqual(sent, []);
  });
});

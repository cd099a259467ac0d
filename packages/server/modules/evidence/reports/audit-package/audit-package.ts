import { toActorName } from "../../../../kernel/actor.ts";
import type { Ctx } from "../../../../kernel/ctx.ts";
import { recordEvent } from "../../../../kernel/events/events.ts";
import type { Intervals } from "../../../../kernel/intervals.ts";
import { type UserCard, findUserById } from "../../../../kernel/users-store.ts";
import { writeZip } from "../../../../platform/text/zip.ts";
import { getProvenProject, mayReadTrail } from "../../../consents/commitments/recorded.ts";
import { countErased } from "../../erasures/erasures.ts";
import type { EvidenceApp } from "../../proofs/prover.ts";
import type { Language } from "../../log/schema.ts";
import { findTimestampUpTo } from "../../anchors/timestamp-store.ts";
import { assertOneThing, chooseConsents } from "./select/sample.ts";
import { type Dossier, headOf } from "./files/package.ts";
import { type DossierApp, writeFiles } from "./files/files.ts";
import type { DossierQueryIn } from "./select/schema.ts";
import { surveyConsents } from "./select/survey.ts";
import { wordsOf } from "./words/words.ts";

/** What is asked for, and by whom, once they may have it. */
export type Asked = Pick<Dossier, "project" | "askedBy" | "askedAt" | "hasTrail"> & {
  query: DossierQueryIn;
};

/**
 * Lets somebody have a dossier, and notes that they asked for it.
 * @throws Fault not-found or forbidden as the project's; invalid for a query that names no one thing
 */
export async function requestDossier(
  ctx: Ctx,
  { projectId, query }: { projectId: string; query: DossierQueryIn },
): Promise<Asked> {
  const project = await getProvenProject(ctx.tx, ctx.scope, projectId);
  assertOneThing(query);
  const { token, sample } = query;
  const kind = sample === undefined ? (token === undefined ? "period" : "person") : "sample";
  await recordEvent(ctx, { name: "dossier.requested", projectId, data: { kind } });
  const id = toActorName(ctx.actor);
  const user = await findUserById(ctx.tx, id);
  return {
    project,
    hasTrail: await mayReadTrail(ctx.tx, ctx.scope, projectId),
    askedBy: { id, name: user ? toShownName(user) : id },
    askedAt: ctx.now,
    query,
  };
}

function toShownName({ displayName, email }: UserCard): string {
  return email === null ? displayName : `${displayName} (${email})`;
}

/**
 * Chooses the consents of a dossier, waits for their places in the log, and fixes the tree that all of
 * its proofs are under.
 * @throws Fault impossible for more than a dossier holds; busy before the log has a tree
 */
export async function openDossier(
  app: EvidenceApp & { intervals: Intervals },
  { query, ...asked }: Asked,
  { language, signal }: { language: Language; signal: AbortSignal },
): Promise<Dossier> {
  const projectId = asked.project.id;
  const choosing = { now: asked.askedAt, signal, marginMs: app.intervals.collectingMs };
  const choice = await chooseConsents(app.db, { projectId, query }, choosing);
  const survey = await surveyConsents(app, { projectId, ids: choice.ids }, signal);
  const timestamp = await findTimestampUpTo(app.db, survey.prover.head.size);
  const erased = await countErased(app.db, projectId);
  return { ...asked, choice, survey, timestamp, erased, words: wordsOf[language] };
}

/** The bytes of a dossier, in bounded memory; that all of them were taken is noted. */
export async function* writeDossier(
  app: DossierApp,
  dossier: Dossier,
  write: (verb: (ctx: Ctx) => Promise<void>) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  yield* writeZip(writeFiles(app, dossier), dossier.askedAt);
  const { project, choice, survey } = dossier;
  const { kind } = choice.method;
  const data = {
    kind,
    count: choice.ids.length,
    pending: survey.pending.size,
    treeSize: headOf(dossier).size,
  };
  await write(async (ctx) => {
    await recordEvent(ctx, { name: "dossier.done", projectId: project.id, data });
  });
}

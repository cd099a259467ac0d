import type { Counters } from "../../../../../kernel/counters.ts";
import type { Db } from "../../../../../platform/db/db.ts";
import { type TrailQuery, listEvents } from "../../../../../kernel/events/events-store.ts";
import { toTrailEntry } from "../../../../../kernel/events/trail.ts";
import type { AuditPackage } from "./package.ts";

const PAGE = 1_000;

/** The project's audit trail in the package's period, oldest first, one event per line of JSON. */
export async function* writeTrail(
  { db, counters }: { db: Db; counters: Counters },
  { project, selection: { from, to } }: Pick<AuditPackage, "project" | "selection">,
): AsyncGenerator<string> {
  const of = { projectId: project.id };
  let after: TrailQuery["after"];
  for (;;) {
    const rows = await listEvents(db, { of, from, to, order: "asc", after, limit: PAGE });
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => `${JSON.stringify(toTrailEntry(row, counters))}\n`).join("");
    if (rows.length < PAGE) return;
    after = { at: last.created_at, id: last.id };
  }
}

import type { Db } from "../../platform/db/db.ts";
import { Fault } from "../../platform/errors.ts";
import { getProject } from "../vault/access.ts";

/** What a ticket says once its signature holds. */
export interface Display {
  /** Of this ticket alone. */
  id: string;
  /** The version that was live when it was given. */
  version: number;
  /** When it was given. */
  displayedAt: Date;
  expiresAt: Date;
}

/** Gives display tickets and reads them back. Nothing is kept of them. */
export interface Tickets {
  /** `origin`: of the page that asks; '' where it says none. */
  issue(given: {
    projectId: string;
    version: number;
    origin: string;
    now: Date;
  }): Promise<{ ticket: string; expiresAt: Date }>;
  /** What a ticket says, or in words what is wrong with it; `origin` undefined: of whichever it is. */
  check(
    ticket: string,
    given: { projectId: string; origin: string | undefined; now: Date },
  ): Promise<Display | string>;
}

/** Longer than any origin that names a host (RFC 1035: 253 characters). */
const ORIGIN_LENGTH_MAX = 300;

/**
 * Gives a ticket for what is live now.
 * @throws Fault not-found without the project; conflict where nothing of it is published; invalid for an
 *   origin that is none
 */
export async function issueTicket(
  { db, tickets, now }: { db: Db; tickets: Tickets; now: () => Date },
  { projectId, origin = "" }: { projectId: string; origin: string | undefined },
): Promise<{ ticket: string; expiresAt: Date; version: number }> {
  if (origin.length > ORIGIN_LENGTH_MAX) {
    const message = `has more than ${ORIGIN_LENGTH_MAX} characters`;
    throw new Fault("invalid", `Origin ${message}.`, { faults: [{ path: "Origin", message }] });
  }
  const project = await getProject(db, { kind: "system" }, projectId);
  const version = project.live_version;
  if (version === null)
    throw new Fault("conflict", "Nothing of this project is published, so nothing is displayed.");
  return { ...(await tickets.issue({ projectId, version, origin, now: now() })), version };
}

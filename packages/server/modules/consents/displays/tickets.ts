import type { Db } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { getProject } from "../../vault/access.ts";
import type { Device } from "./device.ts";
import { type Displays, type Shown, cutStep } from "./displays.ts";
import type { Steps } from "./steps.ts";

/** What a ticket says once its signature holds. */
export interface Display {
  /** Of this ticket alone. */
  id: string;
  /** The version that was live when it was given. */
  version: number;
  /** When it was given. */
  displayedAt: Date;
  expiresAt: Date;
  /** What of it was counted, where it was. */
  shown: Shown | undefined;
}

/** Gives display tickets and reads them back. Nothing is kept of them. */
export interface Tickets {
  /** `origin`: of the page that asks; '' where it says none. */
  issue(given: {
    projectId: string;
    version: number;
    origin: string;
    now: Date;
    shown?: Shown | undefined;
  }): Promise<{ ticket: string; expiresAt: Date }>;
  /** What a ticket says, or in words what is wrong with it; `origin` undefined: of whichever it is. */
  check(
    ticket: string,
    given: { projectId: string; origin: string | undefined; now: Date },
  ): Promise<Display | string>;
}

/** Longer than any origin that names a host (RFC 1035: 253 characters). */
const ORIGIN_LENGTH_MAX = 300;

/** What a page says that it shows, and on what. */
export interface Asked {
  projectId: string;
  origin: string | undefined;
  /** The configuration, where somebody is asked. */
  identifier: string | undefined;
  /** That a banner opens with; '' in a box. */
  step: string;
  /** Undefined: what calls itself a robot. */
  device: Device | undefined;
}

/**
 * Gives a ticket for what is live now, and counts the display where the live version shows that.
 * @throws Fault not-found without the project; conflict where nothing of it is published; invalid for an
 *   origin that is none
 */
export async function issueTicket(
  app: { db: Db; tickets: Tickets; steps: Steps; displays: Displays; now: () => Date },
  asked: Asked,
): Promise<{ ticket: string; expiresAt: Date; version: number }> {
  const { db, tickets, now } = app;
  const { projectId, origin = "" } = asked;
  if (origin.length > ORIGIN_LENGTH_MAX) {
    const message = `has more than ${ORIGIN_LENGTH_MAX} characters`;
    throw new Fault("invalid", `Origin ${message}.`, { faults: [{ path: "Origin", message }] });
  }
  const project = await getProject(db, { kind: "system" }, projectId);
  const version = project.live_version;
  if (version === null)
    throw new Fault("conflict", "Nothing of this project is published, so nothing is displayed.");
  const at = now();
  const shown = await countDisplay(app, { ...asked, version, at });
  return { ...(await tickets.issue({ projectId, version, origin, now: at, shown })), version };
}

/** What was counted; undefined where nothing was. */
async function countDisplay(
  { steps, displays }: { steps: Steps; displays: Displays },
  { projectId, version, identifier, step, device, at }: Asked & { version: number; at: Date },
): Promise<Shown | undefined> {
  if (identifier === undefined || device === undefined) return undefined;
  if (!(await steps.isShown({ projectId, version }, { identifier, step }))) return undefined;
  const shown = { identifier, step: cutStep(step), device };
  return displays.noteShown(projectId, shown, at) ? shown : undefined;
}

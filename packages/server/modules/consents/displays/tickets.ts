import { Fault } from "../../../platform/errors.ts";
import { getProject } from "../../vault/documents/access.ts";
import type { Device } from "../device.ts";
import { type Displays, cutStep } from "./displays.ts";
import type { Impression, ConsentsPorts } from "../ports.ts";
import type { Steps } from "./steps.ts";

/** Longer than any origin that names a host (RFC 1035: 253 characters). */
const ORIGIN_LENGTH_MAX = 300;

/** A page's request for a ticket. */
export interface TicketRequest {
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
 * Issues a ticket for the live version, and counts the display where that version shows it.
 * @throws Fault not-found without the project; conflict where nothing of it is published; invalid for an
 *   origin that is none
 */
export async function issueTicket(
  app: Pick<ConsentsPorts, "db" | "tickets" | "now"> & { steps: Steps; displays: Displays },
  request: TicketRequest,
): Promise<{ ticket: string; expiresAt: Date; version: number }> {
  const { db, tickets, now } = app;
  const { projectId, origin = "" } = request;
  if (origin.length > ORIGIN_LENGTH_MAX) {
    const message = `has more than ${ORIGIN_LENGTH_MAX} characters`;
    throw new Fault("invalid", `Origin ${message}.`, { faults: [{ path: "Origin", message }] });
  }
  const project = await getProject(db, { kind: "system" }, projectId);
  const version = project.live_version;
  if (version === null)
    throw new Fault("conflict", "Nothing of this project is published, so nothing is displayed.");
  const at = now();
  const shown = await countDisplay(app, { ...request, version, at });
  return { ...(await tickets.issue({ projectId, version, origin, now: at, shown })), version };
}

/** The counted display; undefined where it was not counted. */
async function countDisplay(
  { steps, displays }: { steps: Steps; displays: Displays },
  {
    projectId,
    version,
    identifier,
    step,
    device,
    at,
  }: TicketRequest & { version: number; at: Date },
): Promise<Impression | undefined> {
  if (identifier === undefined || device === undefined) return undefined;
  if (!(await steps.hasStep({ projectId, version }, { identifier, step }))) return undefined;
  const shown = { identifier, step: cutStep(step), device };
  return displays.noteDisplay(projectId, shown, at) ? shown : undefined;
}

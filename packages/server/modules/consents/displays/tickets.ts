import { planesOf } from "../../../platform/db/buckets/buckets.ts";
import { isDatabaseUnavailable } from "../../../platform/db/open.ts";
import { Fault } from "../../../platform/errors.ts";
import type { Device } from "../device.ts";
import { type Displays, cutStep } from "./displays.ts";
import type { Impression, ConsentsPorts } from "../ports.ts";
import { getCollectingProject } from "../offers/projects.ts";
import type { Steps } from "./steps.ts";

/** Above the length of any valid origin: a host name has at most 253 characters (RFC 1035). */
const ORIGIN_LENGTH_MAX = 300;

/** A page's request for a ticket. */
export interface TicketRequest {
  projectId: string;
  origin: string | undefined;
  /** The configuration that is displayed; undefined: do not count a display. */
  identifier: string | undefined;
  /** The step with which a banner opens; '' for a consent form. */
  step: string;
  /** Undefined for bots. */
  device: Device | undefined;
}

/**
 * Issues a ticket for the live version, and counts the display if that version contains it.
 * @throws Fault not-found without the project; conflict without a published version; invalid for an invalid
 *   origin
 */
export async function issueTicket(
  app: Pick<ConsentsPorts, "db" | "buckets" | "tickets" | "now"> & {
    steps: Steps;
    displays: Displays;
  },
  request: TicketRequest,
): Promise<{ ticket: string; expiresAt: Date; version: number }> {
  const { tickets, now } = app;
  const { projectId, origin = "" } = request;
  if (origin.length > ORIGIN_LENGTH_MAX) {
    const message = `has more than ${ORIGIN_LENGTH_MAX} characters`;
    throw new Fault("invalid", `Origin ${message}.`, { faults: [{ path: "Origin", message }] });
  }
  const { liveVersion: version } = await getCollectingProject(
    await planesOf(app, projectId),
    projectId,
  );
  if (version === null)
    throw new Fault(
      "conflict",
      "This project has no published version to display. Publish one first.",
    );
  const at = now();
  const shown = await countDisplay(app, { ...request, version, at });
  return { ...(await tickets.issue({ projectId, version, origin, now: at, shown })), version };
}

/** Counts a display; undefined if it was not counted. */
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
  const isStep = await steps
    .hasStep({ projectId, version }, { identifier, step })
    .catch((error: unknown) => {
      // Tickets are issued, and displays of unknown versions not counted, while the control plane is down.
      if (isDatabaseUnavailable(error)) return false;
      throw error;
    });
  if (!isStep) return undefined;
  const shown = { identifier, step: cutStep(step), device };
  return displays.noteDisplay(projectId, shown, at) ? shown : undefined;
}

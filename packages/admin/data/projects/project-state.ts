import { type Consent, listConsents } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import type { ShownProject } from "./project.ts";
import { type Answers, readAnswers } from "./statistics.ts";

/** `unseen`: published, but no visitor has loaded the widget yet, so that its snippet may be missing. */
export type ProjectState = "unpublished" | "unseen" | "live";

/** The visitors of a project. */
export interface Visits extends Answers {
  /** The newest answer of all time. */
  last: Consent | undefined;
}

/** Reads displays and answers of the last 30 days, and the newest answer. @throws Problem */
export async function readVisits(projectId: string): Promise<Visits> {
  const [answers, [last]] = await Promise.all([
    readAnswers(projectId),
    send(listConsents, { path: { projectId }, query: { perPage: 1 } }),
  ]);
  return { ...answers, last };
}

/** The state of a project, for every list and heading. */
export function toProjectState(
  { isLive }: Pick<ShownProject, "isLive">,
  { shown, last }: Pick<Visits, "shown" | "last">,
): ProjectState {
  if (!isLive) return "unpublished";
  return isSeen({ shown, last }) ? "live" : "unseen";
}

/** Whether a visitor has loaded the widget. */
export function isSeen({ shown, last }: Pick<Visits, "shown" | "last">): boolean {
  return shown > 0 || last !== undefined;
}

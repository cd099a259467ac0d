import type { Consent, PublicationDiff, PublishJob } from "@avow/client/operations";
import type { ShownProject } from "./project.ts";

/** The data on the overview of a project. */
export interface Overview {
  project: ShownProject;
  configurations: number;
  /** Changes since the last publication; undefined if there is nothing to publish. */
  diff: PublicationDiff | undefined;
  /** The newest jobs, the newest first. */
  jobs: readonly PublishJob[];
  /** Scheduled publications. */
  waiting: readonly PublishJob[];
  last: Consent | undefined;
  /** Displays of the last 30 days. */
  shown: number;
  mayWrite: boolean;
}

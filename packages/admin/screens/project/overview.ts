import type { Consent, PublicationDiff, PublishJob } from "../../api/interface.ts";
import type { ShownProject } from "../../data/project.ts";

/** What the overview of a project shows. */
export interface Overview {
  project: ShownProject;
  configurations: number;
  /** Of what was published and would be; undefined where there is nothing to publish. */
  diff: PublicationDiff | undefined;
  /** The newest jobs, the newest first. */
  jobs: readonly PublishJob[];
  /** What waits for its time. */
  waiting: readonly PublishJob[];
  last: Consent | undefined;
  /** Displays of the last 30 days. */
  shown: number;
  mayWrite: boolean;
}

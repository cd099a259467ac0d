/** Kinds of activity, each with the events of the audit trail that belong to it. Other events are for owners and auditors only. */
export const activityKinds = {
  content: [
    "project.created",
    "project.updated",
    "project.moved",
    "configuration.created",
    "configuration.updated",
    "configuration.deleted",
  ],
  publications: ["publish.done", "publish.failed", "publish.withdrawn", "snippet.mailed"],
  scans: ["scan.done", "scan.failed"],
  people: ["rights.changed"],
  data: [
    "import.done",
    "import.failed",
    "export.done",
    "dossier.done",
    "consent.erased",
    "erasure.requested",
    "erasure.declined",
    "erasure.proposed",
    "erasure.rejected",
    "erasure-rule.changed",
  ],
  reviews: [
    "comment.created",
    "comment.resolved",
    "review.requested",
    "review.changes-requested",
    "approval.given",
    "approval.withdrawn",
  ],
} as const satisfies Record<string, readonly string[]>;

export type ActivityKind = keyof typeof activityKinds;
export const activityKindNames = Object.keys(activityKinds) as ActivityKind[];

/** The details of these events that every reader of the project may see: no texts, no networks, no hashes. */
export const activityDetails = [
  "resource",
  "version",
  "environment",
  "unchanged",
  "asksAgain",
  "roles",
  "news",
  "reason",
  "count",
  "needsSecondPerson",
  "decision",
] as const;

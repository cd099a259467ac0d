export const en = {
  audit: {
    title: "Audit trail",
    lead: "All actions with their user, time and network. Entries cannot be changed or removed.",
    event: "Event",
    eventHint: "For example project.updated; empty for all.",
    from: "From",
    to: "To",
    search: "Search",
    when: "When",
    who: "User",
    what: "Action",
    where: "Network",
    details: "Details",
    service: "the service",
    somebody: "Somebody",
    empty: "No entry matches your search.",
    download: "Download (CSV)",
  },
  log: {
    title: "Transparency log",
    lead: "Every answer and every publication is entered in this log. It is public and contains no personal data.",
    none: "The log is empty. It starts with the first answer or publication.",
    latest: "Latest checkpoint",
    latestLead: "The log signs its name, the number of its entries, and the hash of all of them.",
    name: "Name",
    size: "Entries",
    root: "Root",
    signature: "Signature",
    signed: (names: string) => `valid: ${names}`,
    unsigned: "invalid",
    note: "Signed text",
    keys: "Keys",
    keysLead:
      "Proofs are verified with these keys. Pass them to verifiers over a separate channel, not through this page.",
    ofLog: "The log",
    ofWitness: "Witness",
    key: "Key",
    consistency: "Consistency",
    consistencyLead:
      "Your browser computes whether the current tree contains the whole of an earlier one.",
    check: "Check now",
    checking: "Checking…",
    met: (at: string) =>
      `This browser has known the log since ${at} and keeps the last tree that it verified.`,
    first:
      "This browser sees the log for the first time. It keeps the log’s keys and this tree, and compares with them from now on.",
    holds: (from: string, to: string) =>
      `The tree of ${to} entries contains the whole tree of ${from} entries: nothing was changed or removed.`,
    same: (size: string) => `The tree of ${size} entries is the one that was checked last.`,
    broken: "The log was rewritten: the current tree does not contain the tree that was kept.",
    strange:
      "The checkpoint is not signed by a key that this browser knows. It comes from another log, or the log’s key was changed.",
    older: "Compare with an older checkpoint",
    olderHint: "Paste its signed text. If empty, the checkpoint kept by this browser is used.",
    bad: "This is not a checkpoint of this log.",
    forget: "Trust the new log",
    forgetHint: "Only if you know that its key was changed.",
  },
};

export type TrailWords = typeof en;

/** What the screens of the audit log and of the transparency log say in English. */
export const en = {
  audit: {
    title: "Audit log",
    lead: "Who did what, when and from where. Nothing in it can be changed or removed.",
    event: "Event",
    eventHint: "Such as project.updated; empty for all.",
    from: "From",
    to: "To",
    search: "Search",
    when: "When",
    who: "Who",
    what: "What",
    where: "From where",
    details: "Details",
    service: "the service",
    emptyTitle: "Nothing was found",
    empty: "Nothing fits what you ask for.",
    download: "Download (CSV)",
  },
  log: {
    title: "Transparency log",
    lead: "Every answer and every publication has a place in it. It is public, and holds nothing personal.",
    none: "Nothing is in the log yet. It begins with the first answer or publication.",
    latest: "Latest checkpoint",
    latestLead:
      "What the log signs: its name, how many entries it has, and the hash of all of them.",
    name: "Name",
    size: "Entries",
    root: "Root",
    signature: "Signature",
    signed: (names: string) => `holds: ${names}`,
    unsigned: "does not hold",
    note: "As it is signed",
    keys: "Keys",
    keysLead:
      "What proofs are checked by. Give them to whoever wants to check, by another way than this page.",
    ofLog: "The log",
    ofWitness: "Witness",
    key: "Key",
    consistency: "Was anything rewritten?",
    consistencyLead:
      "Your browser works out itself that the present tree begins with the whole of an earlier one.",
    check: "Check now",
    checking: "Checking…",
    met: (at: string) =>
      `This browser knows the log since ${at}, and the tree that it checked last.`,
    first:
      "This browser has just met the log. It keeps its keys and this tree, and compares from now on.",
    holds: (from: string, to: string) =>
      `The tree of ${to} entries begins with the whole of that of ${from}: nothing was changed or removed.`,
    same: (size: string) => `The tree of ${size} entries is the very one that was checked last.`,
    broken: "The log was rewritten: the present tree does not begin with the one that was kept.",
    strange:
      "The checkpoint is not signed by a key that this browser knows: this is another log, or its key was changed.",
    older: "An older checkpoint that you kept",
    olderHint: "Paste the signed text; without one, the one that this browser kept is taken.",
    bad: "This is no checkpoint of this log.",
    forget: "Meet the log anew",
    forgetHint: "Only where you know that its key was changed.",
  },
};

export type TrailWords = typeof en;

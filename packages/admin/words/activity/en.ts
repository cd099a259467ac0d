type Role = "owner" | "editor" | "viewer" | "auditor";

/** Parts of a sentence: texts, and what links to a screen. */
type Parts<T> = (string | T)[];

const times = (count: number): string => (count > 1 ? ` ${count} times` : "");
const many = (count: number, one: string, more: string): string =>
  count === 1 ? `1 ${one}` : `${count} ${more}`;
const as = (roles: readonly Role[]): string =>
  roles.map((role) => (role === "viewer" ? "a viewer" : `an ${role}`)).join(", ");

export const en = {
  title: "Activity",
  lead: "The work on this project, newest first.",
  zone: (zone: string) => `Times are in your time zone, ${zone}.`,
  kind: "Kind",
  person: "Person",
  all: "all",
  everybody: "everybody",
  kinds: {
    content: "Content and settings",
    publications: "Publications",
    scans: "Scans",
    people: "Team",
    data: "Data and erasures",
    reviews: "Reviews",
  },
  today: "Today",
  yesterday: "Yesterday",
  emptyTitle: "Nothing here yet",
  empty: "Edits, publications and changes of the team appear here as they happen.",
  noResults: "Nothing matches these filters.",
  service: "The service",
  visitor: "A visitor",
  linkHolder: "The holder of a review link",
  somebody: "Somebody",
  someone: "a member",
  nouns: {
    projects: "the settings of the project",
    cookies: "the banner",
    processings: "the consent form",
    contracts: "the contract form",
    content: "the contract text",
    vendors: "the vendor",
    dpo: "the contact for privacy",
    tcf: "the TCF settings",
    organizations: "the organization",
  },
  other: "a document",
  named: (noun: string, title: string) => `${noun} “${title}”`,
  version: (version: number) => `version ${version}`,
  asksAgain: (count: number) => `visitors are asked again about ${many(count, "item", "items")}`,
  clauses: {
    createdProject: (): Parts<never> => ["created the project"],
    created: <T>(thing: T): Parts<T> => ["created ", thing],
    updated: <T>(thing: T, count: number): Parts<T> => ["edited ", thing, times(count)],
    deleted: <T>(thing: T): Parts<T> => ["deleted ", thing],
    moved: (): Parts<never> => ["moved the project to another organization"],
    published: <T>(version: T, isStaging: boolean, isUnchanged: boolean): Parts<T> => [
      "published ",
      version,
      isUnchanged ? " again" : "",
      isStaging ? " for staging" : "",
    ],
    publishFailed: <T>(thing: T, count: number): Parts<T> => [
      thing,
      count === 1 ? " that failed" : ` that failed${times(count)}`,
    ],
    attempt: "started a publication",
    withdrawn: (): Parts<never> => ["took the project offline"],
    mailedSnippet: (): Parts<never> => ["mailed the snippet to a developer"],
    scanned: <T>(thing: T, news: number): Parts<T> => [
      thing,
      news > 0
        ? ` and found ${many(news, "new service or cookie", "new services or cookies")}`
        : "",
    ],
    scan: "scanned the website",
    scanFailed: "could not scan the website",
    given: <T>(person: T, roles: readonly Role[]): Parts<T> => ["made ", person, ` ${as(roles)}`],
    removed: <T>(person: T): Parts<T> => ["removed ", person, " from the team"],
    left: (): Parts<never> => ["left the team"],
    imported: <T>(thing: T): Parts<T> => [thing],
    import: "finished an import of consents",
    importFailed: "started an import of consents that failed",
    exported: "exported consents",
    audited: "created an audit package",
    erased: (records: number, isExpired: boolean): Parts<never> => [
      isExpired
        ? `erased ${many(records, "record", "records")} at the end of the retention period`
        : `erased a person with ${many(records, "record", "records")}`,
    ],
    askedErasure: "asked to be erased",
    declined: "closed a request for erasure without erasing",
    proposed: "proposed an erasure",
    rejected: "closed a proposed erasure without erasing",
    rule: (isOn: boolean): string =>
      isOn
        ? "required a second owner’s confirmation of erasures"
        : "removed the second owner’s confirmation of erasures",
    commented: "commented on the draft",
    resolved: "resolved a comment",
    askedReview: "asked for a review of the draft",
    requestedChanges: "requested changes to the draft",
    approved: "approved the draft",
    unapproved: "withdrew an approval",
    withdrewRequest: "withdrew a request for changes",
    repeated: (text: string, count: number): string => text + times(count),
  },
};

export type ActivityWords = typeof en;

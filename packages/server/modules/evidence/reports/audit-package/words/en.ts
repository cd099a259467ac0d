import type { Language } from "../../../log/schema.ts";

/** The texts of an audit package, in English. */
export const en = {
  lang: "en" as Language,
  title: "Consent audit package",
  colon: ":",
  /** The texts before and after the project's title. */
  lead: [
    "Consents that were given or refused on “",
    "”, each with its proof. Anyone can verify the proofs on any computer, offline, and without trusting the service that created this file.",
  ] as readonly [string, string],
  number: (count: number) => count.toLocaleString("en"),
  consents: (count: number) => `${count.toLocaleString("en")} consent${count === 1 ? "" : "s"}`,

  provenOf: (proven: string, all: string) => `${proven} of ${all}`,

  facts: {
    project: "Project",
    holds: "Contents",
    period: "Period",
    seed: "Sample seed",
    requestedBy: "Requested by",
    requestedAt: "Requested on",
    count: "Consents",
    proven: "With a proof",
    pending: "Not in the log yet",
    log: "Log",
    tree: "Entries in the log",
    erased: "Erased from the project so far",
    signedAt: "Checkpoint signed on",
  },
  erased: (records: string, erasures: string, hasMore: boolean) =>
    `${records} records in ${hasMore ? "the last " : ""}${erasures} erasures, each recorded in the log. They are not included here`,
  holds: {
    person: (token: string) => `Every consent of one person, with the token ${token}`,
    period: "Every consent of the period",
    sample: (size: string, population: string) =>
      `A random sample: ${size} of the ${population} consents of the period`,
  },
  from: "from the first one",
  until: (instant: string) => `up to ${instant}`,
  since: (instant: string) => `from ${instant}`,

  chosen: {
    title: "How these consents were selected",
    person:
      "All records of this token in the period, including refusals and withdrawals. A token is a pseudonym: linking it to a person needs other evidence.",
    period: "All records of the project in the period, including refusals and withdrawals.",
    sample: (size: string, population: string) =>
      `For each of the ${population} records in the period, the SHA-256 of the text “seed:consent” was computed: the seed, a colon and the ID of the consent. The ${size} records with the lowest hashes form the sample, so that every record had the same chance. Anyone with the IDs of all consents (from an export) can repeat the selection: the same seed gives the same sample.`,
    ownSeed:
      "The service generated the seed at random. An auditor who does not want to rely on that can specify a seed.",
    givenSeed:
      "The seed was specified by the requester. A sample is fair only if nobody tried out seeds first: let the auditor choose it.",
    basis:
      "The selection relies on the service’s database. The log proves that no record was changed since it was added: records that the service received are added at once, and imported records at the time of their import, with the time given in the file. Log entries do not reveal which project they belong to, so the log alone does not prove that no record was left out.",
  },

  table: {
    title: "Consents",
    time: "Time (UTC)",
    person: "Person (token)",
    what: "Configuration",
    answer: "Answer",
    grade: "How it was received",
    version: "Version shown",
    files: "Files",
    proof: "Proof",
    pending: "Not in the log yet: no proof available",
    unproven: "Not proven: changed after it was added to the log",
    withdrawnNote:
      "“Withdrawn” is a refusal after an earlier consent, according to the service’s database; the record itself, and so its proof, says “refused”.",
    none: "No consents.",
    page: "Page",
    unpublished: "None published",
  },
  pending: (count: string) =>
    `Some of these records are so new that they are not in the log yet: ${count}. They have no proof here. Request the audit package again in a minute.`,
  accept: { true: "Accepted", false: "Refused" } as Record<string, string>,
  answers: { accepted: "Accepted", refused: "Refused", withdrawn: "Withdrawn" } as Record<
    string,
    string
  >,
  grades: {
    server: "By an authenticated server",
    ticketed: "By a browser with a display ticket",
    browser: "By a browser",
    imported: "Imported: from a file, with its time, or from another consent tool",
  } as Record<string, string>,
  collections: {
    cookies: "Cookies",
    processings: "Processing of personal data",
    contracts: "Contract",
  } as Record<string, string>,

  shown: {
    title: "Texts shown",
    lead: "The published texts that these consents refer to. Each file below is named by its SHA-256, which the log commits to.",
    version: (version: string, instant: string) => `Version ${version}, published on ${instant}`,
    file: "Complete published file",
    cut: "The rest is in the published file.",
    none: "None of these consents refers to a published version.",
    gone: "This configuration is not in the published file.",
  },

  check: {
    title: "How to verify it",
    key: "Get the log’s key from a source other than this file: the contract, the operator’s website, your archive. It must match the key that the log declares here:",
    page: "Open verifier.html, enter the key, and drop files from the proofs folder on it. It works offline, from a local disk.",
    pageLink: "Open verifier.html",
    command: "Or verify all of them at once on the command line:",
    sums: "SHA256SUMS shows whether a file was damaged in transit. It proves nothing against someone who rewrites it:",
    kept: "If you kept an older checkpoint of the log, pass it as well, to prove that nothing was rewritten since.",
  },
  limits: {
    title: "Limits of the proofs",
    items: [
      "A token does not identify a person, and a proof does not show that the person meant what was sent: a browser can be made to send anything.",
      "A record may have been wrong when it was made. Its proof shows that it was in the log when the log was signed, and has not changed since.",
      "There may be other records: see how these were selected.",
      "Only the proof files count. The rest of index.html, consents.csv and README.txt is generated for reading.",
    ],
  },
  files: {
    title: "Contents of this archive",
    items: {
      "index.html": "Overview for people to read",
      "consents.csv": "The same consents as a table",
      "proofs/":
        "For each consent: its record, its salt, its inclusion proof and the version shown",
      "versions/": "The published files, each named by its SHA-256",
      "log/checkpoint.txt": "The signed checkpoint of all proofs. Keep it",
      "log/keys.txt": "The log’s keys, as the log declares them",
      "verifier.html": "Verifies proofs in a browser",
      "manifest.json": "The request, and every file with its size and SHA-256",
      SHA256SUMS: "The SHA-256 of every file, in the format of sha256sum",
    },
    trail: {
      "audit.ndjson":
        "The project’s audit trail of the period, one event per line. The proofs do not cover it",
    },
    stamped: {
      "log/timestamp.tsr":
        "A time-stamp of the log by an authority (RFC 3161). Verify it with openssl ts -verify",
      "log/timestamp.txt": "The time-stamped checkpoint",
      "log/timestamp-consistency.json":
        "Proves that the tree of the proofs extends the time-stamped tree",
    },
  },
  footer: "Created with Avow.",
};

export type Words = typeof en;

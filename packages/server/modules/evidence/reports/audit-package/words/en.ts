import type { Language } from "../../../log/schema.ts";

/** What a dossier says to people, in English. */
export const en = {
  lang: "en" as Language,
  title: "Consent dossier",
  colon: ":",
  /** Before the project's title, and behind it. */
  lead: [
    "Consents that were given or refused on “",
    "”, each with its proof. The proofs can be checked on any computer, without a network, and without trusting the service that made this file.",
  ] as readonly [string, string],
  number: (count: number) => count.toLocaleString("en"),
  consents: (count: number) => `${count.toLocaleString("en")} consent${count === 1 ? "" : "s"}`,

  provenOf: (proven: string, all: string) => `${proven} of ${all}`,

  facts: {
    project: "Project",
    holds: "What it holds",
    period: "Period",
    seed: "Seed of the sample",
    askedBy: "Asked for by",
    askedAt: "Asked for on",
    count: "Consents",
    proven: "With a proof",
    pending: "Still without a proof",
    log: "Log",
    tree: "Entries in the log",
    erased: "Erased from the project so far",
    signedAt: "Log signed on",
  },
  erased: (records: string, erasures: string, isMore: boolean) =>
    `${records} records in ${isMore ? "the last " : ""}${erasures} erasures, each an entry of the log: they are not in here`,
  holds: {
    person: (token: string) => `Every consent of one person, known as ${token}`,
    period: "Every consent of the period",
    sample: (size: string, population: string) =>
      `A random sample: ${size} of the ${population} consents of the period`,
  },
  from: "from the first one",
  until: (instant: string) => `up to ${instant}`,
  since: (instant: string) => `from ${instant}`,

  chosen: {
    title: "How these consents were chosen",
    person:
      "These are all records that were kept under this token in the period, refusals and withdrawals too. A token is a pseudonym: that it stands for a certain person has to be shown by other means.",
    period: "These are all records of the project in the period, refusals and withdrawals too.",
    sample: (size: string, population: string) =>
      `Of each of the ${population} records in the period the SHA-256 of the text “seed:consent” was taken, the seed and the number of the consent with a colon between. The ${size} records whose result is lowest are the sample, so that every record had the same chance. Whoever has the numbers of all consents (an export) can draw it again, and the same seed draws the same.`,
    ownSeed:
      "The seed was made at random by the service. An auditor who does not want to rely on that names a seed of their own.",
    givenSeed:
      "The seed was named by who asked. A sample is fair to a reader only if the seed was not tried out before: let the reader choose it.",
    basis:
      "Which records there were to choose from is what the service’s database says. The log shows that none of them was changed since it was entered there: what the service received itself is entered at once, and what was imported when its file was, with the time that the file gives. Since nothing in its entries says whose they are, it does not show by itself that none was left out.",
  },

  table: {
    title: "The consents",
    time: "Time (UTC)",
    person: "Person (token)",
    what: "Asked for",
    answer: "Answer",
    grade: "How it was received",
    version: "Version shown",
    files: "Files",
    proof: "Proof",
    pending: "Waits for its place in the log: no proof yet",
    unproven: "Not proven: it was changed after the log was told of it",
    withdrawnNote:
      "“Withdrawn” is a refusal after an earlier consent, by the service’s register; the record itself, and so its proof, says refused.",
    none: "There is none.",
    page: "Page",
    unpublished: "None was live",
  },
  pending: (count: string) =>
    `The log had no place yet for some of these records, since they are so new: ${count}. They have no proof here; ask for the dossier again in a minute.`,
  accept: { true: "Accepted", false: "Refused" } as Record<string, string>,
  answers: { accepted: "Accepted", refused: "Refused", withdrawn: "Withdrawn" } as Record<
    string,
    string
  >,
  grades: {
    server: "By an authenticated server",
    ticketed: "By a browser that had a display ticket",
    browser: "By a browser",
    imported: "Imported: time and answers by the file",
  } as Record<string, string>,
  collections: {
    cookies: "Cookies",
    processings: "Processing of personal data",
    contracts: "Contract",
  } as Record<string, string>,

  shown: {
    title: "What was shown",
    lead: "The published texts that these consents answered to, as they were published. Each file below is kept under its SHA-256, which the log commits to.",
    version: (version: string, instant: string) => `Version ${version}, published on ${instant}`,
    file: "The whole published file",
    cut: "More is in the published file.",
    none: "None of these consents names a published version.",
    gone: "This configuration is not in the published file.",
  },

  check: {
    title: "How to check it",
    key: "Get the log’s key from somewhere else than this file: the contract, the operator’s site, your archive. It has to be the one that this log names as its own:",
    page: "Open verifier.html, give it the key, and drop files of the folder proofs on it. It works from a disk, without a network.",
    pageLink: "Open verifier.html",
    command: "Or check all of them at once on a command line:",
    sums: "Whether a file was damaged on its way is told by SHA256SUMS, which proves nothing against somebody who writes it anew:",
    kept: "If you kept an older checkpoint of the log, give it too: then it is shown that nothing was rewritten since.",
  },
  limits: {
    title: "What it does not prove",
    items: [
      "That a token stands for a certain person, or that the person meant what was sent: a browser can be made to send anything.",
      "That a record was true when it was made. It is proven that it was in the log by the time that the log was signed, and is unchanged since.",
      "That these are all records that there ever were: see how they were chosen.",
      "Anything that index.html, consents.csv and README.txt say beside the proofs. They are made of them for reading; what counts is the file of each proof.",
    ],
  },
  files: {
    title: "What is in this archive",
    items: {
      "index.html": "The page for people to read",
      "consents.csv": "The same consents as a table",
      "proofs/":
        "For each consent its record, its salt, its place in the signed log and the version shown",
      "versions/": "The published files, each under its SHA-256",
      "log/checkpoint.txt": "The signed tree that every proof is under. Keep it",
      "log/keys.txt": "The log’s keys, as it names them itself",
      "verifier.html": "Checks proofs in a browser",
      "manifest.json": "What was asked for, and every file with its length and SHA-256",
      SHA256SUMS: "The SHA-256 of every file, as sha256sum reads it",
    },
    trail: {
      "audit.ndjson":
        "Who changed what of the project in the period, one line each. As the service tells it, and not proven",
    },
    stamped: {
      "log/timestamp.tsr":
        "An authority’s time-stamp (RFC 3161) of the log, as it was then. openssl ts -verify checks it",
      "log/timestamp.txt": "The signed tree that the authority stamped",
      "log/timestamp-consistency.json":
        "Proves that the tree of the proofs goes on from the one that was stamped",
    },
  },
  footer: "Made by Avow.",
};

export type Words = typeof en;

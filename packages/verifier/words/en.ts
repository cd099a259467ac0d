// All texts of the verifier in English. The compiler checks that `fr.ts` has the same keys.

/** The name of a value by its path; the root has an empty path. */
const nameOf = (path: string): string => (path === "" ? "The file" : `“${path}”`);
const types = {
  object: "an object",
  text: "a string",
  number: "a number",
  list: "an array",
};

export const en = {
  /** Errors of parsing a file. */
  errors: {
    at: (fault: string, line: number, column: number) =>
      `${fault} (line ${line}, column ${column})`,
    large: (mebibytes: number) => `The file is larger than ${mebibytes} MiB.`,
    utf8: "The text is not UTF-8.",
    unreadable: (reason: string) => `The file could not be checked completely: ${reason}`,
    json: "This is not valid JSON.",
    jsonMore: "There is unexpected text after the end.",
    jsonDeep: (max: number) => `The nesting is deeper than ${max} levels.`,
    jsonTwice: (name: string) => `“${name}” occurs twice, so parsers could read different values.`,
    jsonText: "A string is not well-formed.",
    jsonNumber: (text: string) => `The number ${text} is not in its shortest form.`,
    type: (path: string, type: keyof typeof types) => `${nameOf(path)} must be ${types[type]}.`,
    missing: (path: string) => `“${path}” is missing.`,
    unknown: (path: string) =>
      `“${path}” is not a member of a proof bundle and would not be proven.`,
    long: (path: string, max: number) => `“${path}” has more than ${max} items.`,
    bundleFormat: (format: string) => `This is not a proof bundle of the format ${format}.`,
    base64: (what: string) => `“${what}” is not canonical base64.`,
    length: (what: string, wanted: number, found: number) =>
      `“${what}” must have ${wanted} bytes, but has ${found}.`,
    size: (what: string) => `“${what}” must be a whole number from 0 to 9007199254740991.`,
    noteControl: "A signed note contains a control character.",
    noteShape: "A signed note must consist of a text, an empty line and signatures.",
    noteMany: (max: number) => `A signed note has more than ${max} signatures.`,
    noteLine: (line: string) => `This is not a signature line: “${line.slice(0, 100)}”.`,
    checkpointShape:
      "A checkpoint must contain its log, its size and its root, without empty lines.",
    proofShape: "This is not a tlog-proof, which has a header, an index, hashes and a checkpoint.",
    proofExtra: (path: string) => `“${path}” has extra data, which is not proven.`,
    keyShape: (text: string) =>
      `This is not a key: “${text.slice(0, 100)}”. The format of a key is name+hash+base64.`,
    keyType: (name: string) => `The key of ${name} has a type that this verifier does not support.`,
    keyId: (name: string) => `The key of ${name} was changed: its hash does not match.`,
    tilePath: (path: string) => `This is not the path of a tile: “${path.slice(0, 100)}”.`,
    noEd25519: "This browser cannot check Ed25519 signatures. Use a newer browser.",
  },

  /** Results of the checks. */
  says: {
    format: (origin: string) => `A well-formed proof bundle of the log ${origin}.`,
    record: (consentId: string, projectId: string) =>
      `The record is of consent ${consentId} in project ${projectId}.`,
    receiptFormat: (origin: string) => `A well-formed erasure receipt of the log ${origin}.`,
    erasure: (count: number, projectId: string, leaves: number) =>
      `It states that ${count === 1 ? "one record" : `${count} records`} of project ${projectId} ${count === 1 ? "was" : "were"} erased, of which ${leaves} had a commitment in the log.`,
    erasureType: "The record is not an erasure.",
    erasureParts: "The entries are not all parts of the same erasure, in order.",
    erasureLeaves:
      "The leaves of the erasure are not in order, not all before it, or more than the records it erased.",
    erasureTrees: "The entries of the erasure are not proven in the same tree.",
    recordType: "The record is not a consent.",
    recordVersion: "The record has a version that this verifier does not support.",
    recordId: (name: string) => `The record has no “${name}”.`,
    included: (index: number, size: number) =>
      `The record with its salt is in the log, at index ${index} of its ${size} entries: not a character was changed.`,
    notIncluded: (index: number) =>
      `The record does not match the log at index ${index}: the record, its salt or the proof was changed.`,
    origin: (origin: string) => `The checkpoint is of the log ${origin}.`,
    originOther: (origin: string, found: string) =>
      `The bundle is of the log ${origin}, but its checkpoint is of ${found}.`,
    signed: (names: string) => `The checkpoint’s signature is valid: ${names}.`,
    signatureFails: (name: string) => `A signature attributed to ${name} is not valid.`,
    signatureNone: "The checkpoint has no signature by the log’s own key.",
    signatureUnknown: (count: number) =>
      `${count === 1 ? "One signature is" : `${count} signatures are`} by unknown keys, which neither you nor the bundle provide: not checked.`,
    signer: (names: string) => `It was signed by a key that you trust: ${names}.`,
    signerUnknown: (origin: string) =>
      `The signer is not verified: anyone can create a log and keys. Add the key of ${origin}, from a source that you trust.`,
    signerOther: "None of the keys that you trust is the log’s key on this checkpoint.",
    signerRenewed: (names: string) =>
      `It was signed by another key of the same log: ${names}. If the log’s key was changed, get the new one from a source that you trust, and add both keys: --key twice, or one per line.`,
    witness: (names: string) => `Witnesses saw this checkpoint: ${names}.`,
    witnessAt: (name: string, time: string) => `${name} on ${time}`,
    witnessMissing: (names: string) => `Witnesses that you trust did not sign: ${names}.`,
    publication: (version: string) => `The publication is version ${version}, as in the consent.`,
    publicationType: "The publication’s record is not a publication.",
    publicationOther: (name: string) =>
      `The consent and the publication do not match: “${name}” differs.`,
    publicationNone: "The consent has no published version, and neither has the bundle.",
    publicationMissing:
      "The published version of the consent is not in the bundle: the texts that were shown cannot be verified.",
    publicationIncluded: (index: number, size: number) =>
      `The publication is in the log, at index ${index} of its ${size} entries.`,
    publicationNotIncluded: (index: number) =>
      `The publication does not match the log at index ${index}: its record, its salt or the proof was changed.`,
    content: (bytes: number, hash: string) =>
      `The published file is the one in the log: ${bytes} bytes with the SHA-256 ${hash}.`,
    contentOther: (found: string) =>
      `The published file is not the one in the log: its SHA-256 is ${found}.`,
    kept: (size: number) => `Your saved checkpoint of ${size} entries is of the same log and key.`,
    keptOrigin: (found: string) => `Your saved checkpoint is of another log, ${found}.`,
    keptSignature: "Your saved checkpoint is not signed by the same key.",
    keptRenewed:
      "Your saved checkpoint is signed by another key of the same log. If the log’s key was changed since, add both keys: --key twice, or one per line.",
    same: "Both proofs are of the same tree.",
    consistent: (from: number, to: number) =>
      `Nothing was rewritten: the log of ${to} entries begins with all ${from} entries of the older one.`,
    inconsistent: (from: number, to: number) =>
      `The log was rewritten, or the proof was changed: its ${to} entries do not begin with the ${from} entries of the older checkpoint.`,
    inconsistentSame: (size: number) =>
      `There are two different logs of ${size} entries with the same name: one of them was rewritten.`,
    consistencyMissing: (from: number, to: number, projectId: string) =>
      `It was not checked whether the log of ${to} entries begins with the older one of ${from}. Get the proof with GET /v1/app/proofs/${projectId}/consistency?from=${from}&to=${to} and add it.`,
    consistencyUnused: (from: number, to: number) =>
      `The consistency proof from ${from} to ${to} entries was not checked: a checkpoint of one of these sizes is missing.`,
  },

  /** Instructions for a file that is not a bundle; `fault` is the parse error. */
  otherFiles: {
    pdf: () =>
      "This is a PDF. Save its attachment (proof-….json, in the list of attachments of your viewer) and select that file.",
    archive: () =>
      "This is an archive, such as an audit package. Unpack it and select the files in its folder proofs. On the command line, avow verify accepts the archive itself.",
    jsonLd: () =>
      "This is JSON-LD, which describes a proof but proves nothing. Use the JSON format: ?format=json at the same address.",
    pending: () =>
      "The service was still making this file when it was downloaded. Download it again from the same address.",
    other: (fault: string) =>
      `Select the .json file from the service, or the attachment of its PDF. ${fault}`,
  },
  noBundle: "This is not a proof bundle.",

  /** The verdict on a file. */
  verdicts: {
    proven: "Proven: all checks passed.",
    open: "Consistent, but not everything could be verified.",
    broken: "Not proven: a check failed.",
  },

  /** Labels of a record's known fields, in the order of display. */
  fields: {
    accept: "Answer",
    value: "Form input",
    token: "Person (token)",
    timestamp: "Time, by the visitor’s clock",
    createdAt: "Time, by the service’s clock",
    displayedAt: "Time of display, by its ticket",
    url: "Page",
    language: "Language",
    country: "Country",
    userAgent: "Browser",
    grade: "Assurance level",
    signals: "Signals of the browser",
    collection: "Kind",
    identifier: "Configuration",
    version: "Published version",
    publication: "Published file (SHA-256)",
    preferences: "Preferences as sent",
    consentId: "Consent",
    projectId: "Project",
    erasedAt: "Erased",
    reason: "Reason",
    orderedBy: "Requested by (user)",
    count: "Erased records",
    leaves: "Indices of their commitments in the log",
    erasureId: "Erasure",
    part: "Entry",
    parts: "Entries",
  },
  /** The label of `createdAt` for an imported record. */
  importedAt: "Time, by the imported file",
  values: {
    reasons: {
      request: "on request",
      retention: "the retention period of proofs ended",
    } as Record<string, string>,
    yes: "Yes",
    no: "No",
    none: "—",
    whole: "as a whole",
    answer: (name: string) => `Answer: ${name}`,
    accept: { true: "Accepted", false: "Refused" } as Record<string, string>,
    answers: { accepted: "accepted", refused: "refused" } as Record<string, string>,
    grades: {
      server: "sent by an authenticated server",
      ticketed: "sent by a browser with a display ticket of this version",
      browser: "sent by a browser",
      imported: "imported from a file, with its time and answers",
    } as Record<string, string>,
    /** The assurance level of a record that names another consent tool in its preferences. */
    adopted: "imported by a browser, from its answer to another consent tool (see the preferences)",
    signals: {
      gpc: "Global Privacy Control",
      googleConsentMode: "Google consent mode",
      tcString: "TC string (IAB TCF)",
    } as Record<string, string>,
    gpc: {
      true: "on: do not sell, share or track",
      false: "not sent",
    } as Record<string, string>,
    skew: (ms: number) =>
      `${Math.abs(ms) / 1000} s ${ms < 0 ? "behind" : "ahead of"} the service’s clock`,
    collections: {
      cookies: "cookies",
      processings: "processing of personal data",
      contracts: "contract",
    } as Record<string, string>,
  },

  /** The page. */
  page: {
    title: "Check a proof of consent",
    lead: "This page verifies proof bundles and explains every check. It works offline: your files never leave this computer.",
    language: "Language",
    files: "Drop proof bundles here",
    filesHint: "or choose files: .json files from the service, up to 16 MiB each",
    choose: "Choose files",
    keys: "The log’s key, from a source that you trust",
    keysHint:
      "In the format name+hash+base64, one per line. Get it from another source than the bundle: the contract, the operator’s site, your archive. You can add keys of witnesses.",
    older: "Compare with an older checkpoint",
    checkpoint: "Saved checkpoint",
    checkpointHint: "Checks that nothing was rewritten since.",
    consistency: "Consistency proof",
    consistencyHint: "From the log, for the two sizes, if the bundle has none.",
    results: "Results",
    nothing: "No bundle yet.",
    fix: "Correct the marked fields above first.",
    again: "Start over",
    record: "Record",
    shown: "Content of the published file",
    holds: "Passed:",
    fails: "Failed:",
    open: "Not verified:",
    asIs: "as in the record",
    footer: "Part of Avow. The same checks run on the command line: avow verify.",
  },
};

export type Words = typeof en;

// Every sentence of the verifier, in English. `fr.ts` has the same in French: the compiler sees to it.

/** What stands for a whole, which has no name in the file. */
const nameOf = (path: string): string => (path === "" ? "The file" : `“${path}”`);
const types = {
  object: "an object",
  text: "a text",
  number: "a number",
  list: "a list",
};

export const en = {
  /** Why a file cannot be read. */
  faults: {
    at: (fault: string, line: number, column: number) =>
      `${fault} (line ${line}, column ${column})`,
    large: (mebibytes: number) => `The file has more than ${mebibytes} MiB.`,
    utf8: "The text is not UTF-8.",
    unreadable: (reason: string) => `The file could not be checked to its end: ${reason}`,
    json: "This is not JSON.",
    jsonMore: "Something follows after the end.",
    jsonDeep: (max: number) => `More than ${max} levels are nested.`,
    jsonTwice: (name: string) => `“${name}” is there twice, so readers could see different things.`,
    jsonText: "A text is not well-formed.",
    jsonNumber: (text: string) => `The number ${text} is not written in its one shortest form.`,
    type: (path: string, type: keyof typeof types) => `${nameOf(path)} has to be ${types[type]}.`,
    missing: (path: string) => `“${path}” is missing.`,
    unknown: (path: string) => `“${path}” is not part of a proof bundle: nothing would prove it.`,
    long: (path: string, max: number) => `“${path}” has more than ${max} items.`,
    bundleFormat: (format: string) => `This is not a proof bundle of the format ${format}.`,
    base64: (what: string) => `“${what}” is not base64 as it has to be written.`,
    length: (what: string, wanted: number, found: number) =>
      `“${what}” has ${found} bytes, and ${wanted} are needed.`,
    size: (what: string) => `“${what}” has to be a whole number from 0 to 9007199254740991.`,
    noteControl: "A signed note has a control character in it.",
    noteShape: "A signed note has to be a text, an empty line and signatures.",
    noteMany: (max: number) => `A signed note has more than ${max} signatures.`,
    noteLine: (line: string) => `This is no signature line: “${line.slice(0, 100)}”.`,
    checkpointShape:
      "A checkpoint has to name its log, its size and its root, without empty lines.",
    proofShape:
      "This is no tlog-proof: a first line, an index, hashes and a checkpoint are needed.",
    proofExtra: (path: string) => `“${path}” has extra data, which nothing proves.`,
    keyShape: (text: string) =>
      `This is no key: “${text.slice(0, 100)}”. A key is written name+hash+base64.`,
    keyType: (name: string) => `The key of ${name} is of a kind that this verifier does not know.`,
    keyId: (name: string) => `The key of ${name} was changed: its hash is not its own.`,
    tilePath: (path: string) => `This is no path of a tile: “${path.slice(0, 100)}”.`,
    noEd25519: "This browser cannot check Ed25519 signatures. Use a newer one.",
  },

  /** What each check found. */
  says: {
    format: (origin: string) => `A well-formed proof bundle, of the log ${origin}.`,
    record: (consentId: string, projectId: string) =>
      `The record is of consent ${consentId} in project ${projectId}.`,
    receiptFormat: (origin: string) => `A well-formed receipt of an erasure, of the log ${origin}.`,
    erasure: (count: number, projectId: string, leaves: number) =>
      `It tells that ${count === 1 ? "one record" : `${count} records`} of project ${projectId} ${count === 1 ? "was" : "were"} erased, ${leaves} of which the log had committed to.`,
    erasureType: "The record is not one of an erasure.",
    erasureParts: "The entries are not all of one and the same erasure, in their order.",
    erasureLeaves:
      "The leaves that the erasure names are not in their order, not all from before it, or more than it erased.",
    erasureTrees: "The entries of the erasure are not proven under one and the same tree.",
    recordType: "The record is not one of a consent.",
    recordVersion: "The record is of a version that this verifier does not know.",
    recordId: (name: string) => `The record has no “${name}”.`,
    included: (index: number, size: number) =>
      `The record, opened by its salt, is in the log, at index ${index} of its ${size} entries: not a character of it was changed.`,
    notIncluded: (index: number) =>
      `The record is not what the log has at index ${index}: the record, its salt or the proof was changed.`,
    origin: (origin: string) => `The checkpoint is one of the log ${origin}.`,
    originOther: (origin: string, found: string) =>
      `The bundle is of the log ${origin}, and its checkpoint of ${found}.`,
    signed: (names: string) => `The checkpoint’s signature holds: ${names}.`,
    signatureFails: (name: string) =>
      `A signature that ${name} is said to have made does not hold.`,
    signatureNone: "No signature by the log’s own key is on the checkpoint.",
    signatureUnknown: (count: number) =>
      `${count === 1 ? "One signature is" : `${count} signatures are`} by keys that neither you nor the bundle names: not checked.`,
    signer: (names: string) => `It was signed by a key that you trust: ${names}.`,
    signerUnknown: (origin: string) =>
      `Who signed is not established: anybody can make a log and keys. Give the key of ${origin}, from a source that you trust.`,
    signerOther: "None of the keys that you trust is the log’s key on this checkpoint.",
    signerRenewed: (names: string) =>
      `It was signed by another key of the same log: ${names}. If the log’s key was changed, take the new one from a source that you trust, and give both keys: --key twice, or each on its line.`,
    witness: (names: string) => `Witnesses saw this checkpoint: ${names}.`,
    witnessAt: (name: string, time: string) => `${name} on ${time}`,
    witnessMissing: (names: string) => `Witnesses that you trust did not sign: ${names}.`,
    publication: (version: string) =>
      `The consent names version ${version} of what was published, and this is it.`,
    publicationType: "The publication’s record is not one of a publication.",
    publicationOther: (name: string) =>
      `The consent and the publication do not agree: “${name}” differs.`,
    publicationNone: "The consent names no published version, and the bundle has none.",
    publicationMissing:
      "The consent names a published version that is not in the bundle: what was shown is not established.",
    publicationIncluded: (index: number, size: number) =>
      `The publication is in the log, at index ${index} of its ${size} entries.`,
    publicationNotIncluded: (index: number) =>
      `The publication is not what the log has at index ${index}: its record, its salt or the proof was changed.`,
    content: (bytes: number, hash: string) =>
      `The published file is the very one: ${bytes} bytes with the SHA-256 ${hash}.`,
    contentOther: (found: string) =>
      `The published file is not the one that was logged: its SHA-256 is ${found}.`,
    kept: (size: number) =>
      `The checkpoint that you kept, of ${size} entries, is of the same log and key.`,
    keptOrigin: (found: string) => `The checkpoint that you kept is of another log, ${found}.`,
    keptSignature: "The checkpoint that you kept is not signed by the same key.",
    keptRenewed:
      "The checkpoint that you kept is signed by another key of the same log. If the log’s key was changed since, give both keys: --key twice, or each on its line.",
    same: "Both proofs are under one and the same tree.",
    consistent: (from: number, to: number) =>
      `Nothing was rewritten: the log of ${to} entries begins with all ${from} of the older one.`,
    inconsistent: (from: number, to: number) =>
      `The log was rewritten, or the proof was changed: its ${to} entries do not begin with the ${from} of the older checkpoint.`,
    inconsistentSame: (size: number) =>
      `There are two different logs of ${size} entries under one name: one of them was rewritten.`,
    consistencyMissing: (from: number, to: number, projectId: string) =>
      `Whether the log of ${to} entries begins with the older one of ${from} was not checked. Get the proof with GET /v1/app/proofs/${projectId}/consistency?from=${from}&to=${to} and give it too.`,
    consistencyUnused: (from: number, to: number) =>
      `A consistency proof from ${from} to ${to} entries was not checked: a checkpoint of one of these sizes is missing.`,
  },

  /** What to do with a file that is no bundle; `fault` is why it cannot be read as one. */
  strangers: {
    pdf: () =>
      "This is a PDF. Take the attachment out of it (proof-….json, in the list of attachments of your viewer) and give that.",
    archive: () =>
      "This is an archive, such as a dossier. Unpack it, and give the files of its folder proofs; avow verify on a command line takes the archive as it is.",
    jsonLd: () =>
      "This is JSON-LD, which tells what a proof says and proves nothing. Give the JSON form: ?format=json at the same address.",
    other: (fault: string) =>
      `Give the .json that the service answers, or that is attached to its PDF. ${fault}`,
  },
  noBundle: "This is no proof bundle.",

  /** What all checks of a file add up to. */
  verdicts: {
    proven: "Proven: everything holds.",
    open: "Everything fits together, but not everything is established.",
    broken: "Not proven: something does not hold.",
  },

  /** What a record's known fields mean, in the order in which they are told. */
  fields: {
    accept: "Answer",
    value: "What was filled in",
    token: "Person (token)",
    timestamp: "Time, by the visitor’s clock",
    createdAt: "Time, by the service’s clock",
    displayedAt: "Displayed before that, by its ticket",
    url: "Page",
    language: "Language",
    country: "Country",
    userAgent: "Browser",
    grade: "How it was received",
    signals: "Signals of the browser",
    collection: "Kind",
    identifier: "Configuration",
    version: "Published version",
    publication: "Published file (SHA-256)",
    preferences: "Preferences as sent",
    consentId: "Consent",
    projectId: "Project",
    erasedAt: "Erased",
    reason: "Why",
    orderedBy: "On the order of (user)",
    count: "Records that were erased",
    leaves: "Where their commitments stand in the log",
    erasureId: "Erasure",
    part: "Entry",
    parts: "Entries",
  },
  /** In the place of `createdAt` of an imported record. */
  importedAt: "Time, by the file that it was imported from",
  values: {
    reasons: {
      request: "somebody asked for it",
      retention: "the time for which proofs are kept was over",
    } as Record<string, string>,
    yes: "Yes",
    no: "No",
    none: "—",
    whole: "as a whole",
    answer: (name: string) => `Answer: ${name}`,
    accept: { true: "Accepted", false: "Refused" } as Record<string, string>,
    answers: { accepted: "accepted", refused: "refused" } as Record<string, string>,
    grades: {
      server: "by an authenticated server",
      ticketed: "by a browser that had a display ticket of this version",
      browser: "by a browser",
      imported: "imported from a file, which gave its time and answers",
    } as Record<string, string>,
    signals: {
      gpc: "Global Privacy Control",
      googleConsentMode: "Google consent mode",
      tcString: "TC string (IAB TCF)",
    } as Record<string, string>,
    gpc: {
      true: "on: not to be sold, shared or tracked",
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
    lead: "This page recomputes a proof bundle from its bytes up and says in plain words what holds. It works without a network: nothing that you give it leaves this computer.",
    language: "Language",
    files: "Drop proof bundles here",
    filesHint: "or choose files: the .json that the service answers, up to 16 MiB each",
    choose: "Choose files",
    keys: "The log’s key, from a source that you trust",
    keysHint:
      "Written name+hash+base64, one on each line. Take it from somewhere else than the bundle: the contract, the operator’s site, your archive. Keys of witnesses may follow.",
    older: "I kept an older checkpoint",
    checkpoint: "Checkpoint that you kept",
    checkpointHint: "Shows that nothing was rewritten since.",
    consistency: "Consistency proof",
    consistencyHint: "The log’s answer for the two sizes, where the bundle has none.",
    results: "What was found",
    nothing: "No bundle yet.",
    mend: "First put right what is marked above.",
    again: "Start again",
    record: "What the record says",
    shown: "The published file, as it was published",
    holds: "Holds:",
    fails: "Does not hold:",
    open: "Not established:",
    asIs: "as it stands in the record",
    footer: "Part of Avow. The same check runs on a command line: avow verify.",
  },
};

export type Words = typeof en;

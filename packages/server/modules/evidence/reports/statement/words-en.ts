import type { Finding } from "./finding.ts";
import type { Answer } from "./choices.ts";
import type { ShownPart, TextKind } from "./shown.ts";

type Did = Pick<Finding, "accepted" | "refused" | "withdrawn" | "asked" | "one">;

/** Everything that the PDF says of its own, in English. */
export const en = {
  locale: "en-GB",
  title: "Proof of consent",
  unprovenTitle: "Record that the log does not prove",
  unproven:
    "This is no proof. The record below is not what the log has at its place: it, or what it is told with, was changed after the log was told of it. What follows is what the service says today, and the attached file does not verify.",
  subject: "What a proof bundle says, for people; the bundle itself is attached.",
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  notStated: "not stated",
  colon: ":",

  finding({ token, name, date, url, version, project, isImported, ...of }: Finding): string {
    const said = isImported ? "According to a file that was imported, on" : "On";
    const where = url === undefined ? "" : `, on the page ${url}`;
    const shown =
      version === undefined
        ? "Which words were shown is not established: nothing was published then."
        : `What was to be shown was version ${version} of what ${project ?? "the site"} published.`;
    return `${said} ${date}, the visitor known as “${token}” ${en.did(of)} “${name}”${where}. ${shown}`;
  },
  did({ accepted, refused, withdrawn, asked, one }: Did) {
    const did = [
      { verb: "accepted", count: accepted },
      { verb: "withdrew consent to", count: withdrawn },
      { verb: "refused", count: accepted > 0 && refused + accepted === asked ? 0 : refused },
    ].filter(({ count }) => count > 0);
    const [first] = did;
    if (one !== undefined) return `${first?.verb} “${one}” of`;
    if (first?.count === asked)
      return asked > 1 ? `${first.verb} all ${asked} items of` : first.verb;
    return `${did.map(({ verb, count }) => `${verb} ${count}`).join(" and ")} of ${asked} items of`;
  },

  answers: {
    title: "What was answered",
    item: "Offered",
    answer: "Answer",
    until: "Holds until",
    whole: "as a whole",
    forEver: "no end stated",
    more: (count: number) =>
      `${count} more answers are in the attached file, which has all of them.`,
    words: {
      accepted: "Accepted",
      refused: "Refused",
      withdrawn: "Withdrawn",
      unanswered: "Not in this answer",
      required: "Always on, not asked",
    } satisfies Record<Answer, string>,
    withdrawnNote:
      "“Withdrawn” is a refusal after an earlier consent, by the service’s register; the record itself says refused.",
  },

  record: {
    title: "The record",
    token: "Person (token)",
    createdAt: "Service’s clock",
    importedAt: "By the file that it was imported from",
    timestamp: "Visitor’s clock",
    skew: "Difference",
    ahead: (seconds: string) => `visitor’s clock ${seconds} s ahead`,
    behind: (seconds: string) => `visitor’s clock ${seconds} s behind`,
    displayedAt: "Displayed before, by its ticket",
    url: "Page",
    language: "Language",
    country: "Country",
    userAgent: "Browser",
    grade: "How it came",
    collection: "Kind",
    configuration: "Configuration",
    consentId: "Consent",
    project: "Project",
    controller: "Who is responsible",
    value: "What was filled in",
    signals: {
      gpc: "Global Privacy Control",
      googleConsentMode: "Google consent mode",
      tcString: "TC string (IAB TCF)",
    } as Record<string, string>,
    gpc: {
      true: "on: not to be sold, shared or tracked",
      false: "not sent",
    } as Record<string, string>,
    collections: {
      cookies: "cookies",
      processings: "processing of personal data",
      contracts: "contract",
    } as Record<string, string>,
    grades: {
      server: "server — sent by a server that the operator authenticated.",
      ticketed:
        "ticketed — sent by a browser with a ticket that this service had given to a page of that site for the words below. It was used once.",
      browser:
        "browser — sent by a page in a browser. The service did not see what was on the screen; it knows which version was published for it.",
      imported:
        "imported — read from a file. Time and answers are what the file says. The log proves since when the service has held it.",
    } as Record<string, string>,
  },

  shown: {
    title: "What was shown",
    lead: (language: string) =>
      `The texts as they were published, in this order. Language: ${language}.`,
    none: "No version was published when this consent was collected, so the words are not established.",
    attached: (characters: number) =>
      `[A text of ${characters} characters, too long for this document: it is in the attached file.]`,
    more: (count: number) => `${count} more texts are in the attached file, which has all of them.`,
    parts: { configuration: "Configuration", step: "Step", vendor: "Vendor" } satisfies Record<
      ShownPart["kind"],
      string
    >,
    kinds: {
      title: "Title",
      topTitle: "Top title",
      subTitle: "Subtitle",
      message: "Message",
      purpose: "Purpose",
      accept: "Sentence accepted",
      button: "Button",
      shortDescription: "Short text",
      longDescription: "Long text",
      domain: "Domain",
      policyUrl: "Privacy policy",
      withdrawal: "How to withdraw",
      personalData: "Personal data",
      retention: "Kept for",
      automatedDecisions: "Automated decisions",
      processor: "Recipient",
      file: "Document",
      string: "Words",
    } satisfies Record<TextKind, string>,
    strings: {
      acceptAll: "Button to accept all",
      refuseAll: "Button to refuse all",
      accept: "Button to accept",
      refuse: "Button to refuse",
      change: "Button to change the answer",
      save: "Button to save",
      withdraw: "Button to withdraw",
      policy: "Link to the policy",
      choose: "Button to choose",
      next: "Button to the next step",
      back: "Button to the step before",
      close: "Button to close",
      settings: "Button to the choices",
      receipts: "Button to this page",
      toggleAll: "Switch for all",
      alwaysOn: "Where nothing is asked",
      details: "What opens the details",
      accepted: "After acceptance",
      refused: "After refusal",
      withdrawn: "After withdrawal",
    } as Readonly<Record<string, string>>,
  },

  evidence: {
    title: "The evidence",
    lead: "The record was committed to a public log that is signed as a whole and can only grow. Entry, tree and signature are in the attached file.",
    log: "Log",
    entry: "Entry (SHA-256)",
    place: "Place",
    placeOf: (index: number, size: number) => `index ${index} in a tree of ${size} entries`,
    root: "Root of the tree",
    salt: "Salt",
    signatures: "Signatures by",
    keyOf: (name: string, id: string) => `${name} (key ${id})`,
    keys: "Keys as claimed",
    version: "Published version",
    versionOf: (version: number, date: string) => `${version}, published ${date}`,
    versionHash: "Published file (SHA-256)",
    versionPlace: "Its place",
    checkpoint: "Checkpoint as signed",
  },

  verify: {
    title: "How to check this",
    steps: [
      "This paper only repeats what the attached file says; anybody can print a paper. The file is the proof.",
      "Save the attachment: it is listed in the attachments of this document.",
      "Get the log’s key from the operator by another way than this document, and keep it.",
      "Run: avow verify {file} --key KEY — or open the verifier’s page from a disk and drop the file on it. Neither needs a network, or us.",
      "It does not prove who the visitor is, nor that a page told the truth. It proves that this record and these words were there by then, and were not changed since.",
    ],
    attachment: "Attached",
    attachmentOf: (name: string, bytes: string, hash: string) =>
      `${name}, ${bytes} bytes, SHA-256 ${hash}`,
  },
};

/** The words of a language. */
export type Words = typeof en;

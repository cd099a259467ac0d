import type { Finding } from "./finding.ts";
import type { Answer } from "./answers.ts";
import type { ShownPart, TextKind } from "./shown.ts";

type AnswerCounts = Pick<Finding, "accepted" | "refused" | "withdrawn" | "asked" | "one">;

/** The texts of the PDF, in English. */
export const en = {
  locale: "en-GB",
  title: "Proof of consent",
  unprovenTitle: "Record that the log does not prove",
  unproven:
    "This is not a proof. The record below does not match its log entry: the record, or data that it refers to, was changed after it was added to the log. This document shows the current data of the service, and the attached file fails verification.",
  subject: "A readable version of the attached proof bundle.",
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  notStated: "not stated",
  colon: ":",

  finding({ token, name, date, url, version, project, ...of }: Finding): string {
    const { isFromFile, tool } = of;
    const source = isFromFile
      ? "According to an imported file, on"
      : tool === undefined
        ? "On"
        : `According to the answer to ${tool} that was stored in the browser, as read on`;
    const where = url === undefined ? "" : `, on the page ${url}`;
    const shown =
      version === undefined
        ? "The texts shown are not established: no version was published then."
        : tool === undefined
          ? `The texts published for display were those of version ${version}, published by ${project ?? "the site"}.`
          : `The texts of ${tool} are not established. The answer was adopted for version ${version}, published by ${project ?? "the site"}.`;
    return `${source} ${date}, the visitor with the token “${token}” ${en.summarizeAnswers(of)} “${name}”${where}. ${shown}`;
  },
  summarizeAnswers({ accepted, refused, withdrawn, asked, one }: AnswerCounts) {
    const groups = [
      { verb: "accepted", count: accepted },
      { verb: "withdrew consent to", count: withdrawn },
      { verb: "refused", count: accepted > 0 && refused + accepted === asked ? 0 : refused },
    ].filter(({ count }) => count > 0);
    const [first] = groups;
    if (one !== undefined) return `${first?.verb} “${one}” of`;
    if (first?.count === asked)
      return asked > 1 ? `${first.verb} all ${asked} items of` : first.verb;
    return `${groups.map(({ verb, count }) => `${verb} ${count}`).join(" and ")} of ${asked} items of`;
  },

  answers: {
    title: "Answers",
    item: "Purpose or vendor",
    answer: "Answer",
    until: "Valid until",
    whole: "as a whole",
    noExpiry: "no expiry",
    more: (count: number) =>
      `${count} more answers are in the attached file, which contains all of them.`,
    words: {
      accepted: "Accepted",
      refused: "Refused",
      withdrawn: "Withdrawn",
      unanswered: "Not in this answer",
      required: "Always on, not asked",
    } satisfies Record<Answer, string>,
    withdrawnNote:
      "“Withdrawn” is a refusal after an earlier consent, according to the service’s database; the record itself says “refused”.",
  },

  record: {
    title: "Record",
    token: "Person (token)",
    createdAt: "Service’s clock",
    importedAt: "Time in the imported file",
    timestamp: "Visitor’s clock",
    skew: "Difference",
    ahead: (seconds: string) => `visitor’s clock ${seconds} s ahead`,
    behind: (seconds: string) => `visitor’s clock ${seconds} s behind`,
    displayedAt: "Displayed at, by its ticket",
    url: "Page",
    language: "Language",
    country: "Country",
    model: "Consent model",
    models: {
      "opt-in": "opt-in — asked before anything ran",
      "opt-out": "opt-out — vendors ran until refused",
      notice: "notice — informed, and vendors ran until refused",
      none: "none — no banner",
    } as Record<string, string>,
    region: "Region, as the page found it",
    userAgent: "Browser",
    grade: "Assurance level",
    tool: "Answer to another consent tool",
    collection: "Kind",
    configuration: "Configuration",
    consentId: "Consent",
    project: "Project",
    controller: "Controller",
    value: "Form data",
    signals: {
      gpc: "Global Privacy Control",
      googleConsentMode: "Google consent mode",
      tcString: "TC string (IAB TCF)",
    } as Record<string, string>,
    gpc: {
      true: "on: do not sell, share or track",
      false: "not sent",
    } as Record<string, string>,
    collections: {
      cookies: "cookies",
      processings: "processing of personal data",
      contracts: "contract",
    } as Record<string, string>,
    grades: {
      server: "server — sent by an authenticated server of the operator.",
      ticketed:
        "ticketed — sent by a browser with a display ticket, which this service had issued to a page of that site for the texts below. The ticket was used once.",
      browser:
        "browser — sent by a page in a browser. The service did not see the screen; it knows which version was published for the page.",
      imported:
        "imported — read from a file. The time and the answers come from the file. The log proves that the service has stored the record since its log entry.",
      adopted:
        "imported — the answer to another consent tool that was stored in the visitor’s browser, as a page read it. The texts of that tool and the answer cannot be verified. The log proves that the service has stored the record since its log entry.",
    } as Record<string, string>,
  },

  shown: {
    title: "Texts shown",
    lead: (language: string) => `The texts as published, in order. Language: ${language}.`,
    none: "No version was published when this consent was collected, so the texts shown are not established.",
    adopted:
      "The visitor answered the texts of another consent tool. The following texts are those that the answer was adopted for; they were not shown.",
    attached: (characters: number) =>
      `[A text of ${characters} characters, too long for this document: it is in the attached file.]`,
    more: (count: number) =>
      `${count} more texts are in the attached file, which contains all of them.`,
    parts: { configuration: "Configuration", step: "Step", vendor: "Vendor" } satisfies Record<
      ShownPart["kind"],
      string
    >,
    kinds: {
      title: "Title",
      topTitle: "Line above the title",
      subTitle: "Line below the title",
      message: "Message",
      purpose: "Purpose",
      accept: "Consent statement",
      button: "Button",
      shortDescription: "Short text",
      longDescription: "Long text",
      domain: "Domain",
      policyUrl: "Privacy policy",
      withdrawal: "How to withdraw",
      personalData: "Personal data",
      retention: "Retention period",
      automatedDecisions: "Automated decisions",
      processor: "Recipient",
      file: "Document",
      string: "Widget text",
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
      back: "Button to the previous step",
      close: "Button to close",
      settings: "Button to the preferences",
      receipts: "Button to the visitor’s page",
      toggleAll: "Switch for all",
      alwaysOn: "Label for always on",
      details: "Button to the details",
      accepted: "After acceptance",
      refused: "After refusal",
      withdrawn: "After withdrawal",
    } as Readonly<Record<string, string>>,
  },

  evidence: {
    title: "Evidence",
    lead: "The record is committed to a public, append-only log that is signed as a whole. The entry, the tree and the signature are in the attached file.",
    log: "Log",
    entry: "Entry (SHA-256)",
    place: "Position",
    placeOf: (index: number, size: number) => `index ${index} in a tree of ${size} entries`,
    root: "Root of the tree",
    salt: "Salt",
    signatures: "Signed by",
    keyOf: (name: string, id: string) => `${name} (key ${id})`,
    keys: "Declared keys",
    version: "Published version",
    versionOf: (version: number, date: string) => `${version}, published ${date}`,
    versionHash: "Published file (SHA-256)",
    versionPlace: "Its position",
    checkpoint: "Signed checkpoint",
  },

  verify: {
    title: "How to verify this",
    steps: [
      "This document only repeats the attached file, and anyone can create a document like it. The attached file is the proof.",
      "Save the attachment: it is listed in the attachments of this document.",
      "Get the log’s key from the operator through another channel than this document, and keep it.",
      "Run: avow verify {file} --key KEY — or open the verifier’s page from a disk and drop the file on it. Both work offline, and without us.",
      "The proof does not show who the visitor is, or that the page was truthful. It shows that this record and these texts existed at that time and have not changed since.",
    ],
    attachment: "Attached",
    attachmentOf: (name: string, bytes: string, hash: string) =>
      `${name}, ${bytes} bytes, SHA-256 ${hash}`,
  },
};

/** The texts of a language. */
export type Words = typeof en;

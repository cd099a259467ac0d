import type { Status } from "../../consents/states/states.ts";

/** The texts of the page, in English. */
export const en = {
  locale: "en-GB",
  title: (project: string) => `Your choices at ${project}`,
  lead: "See what you were asked, what you answered, and the texts you were shown. You can change your answers here at any time.",
  private:
    "Anyone with the address of this page can read and change your answers. Do not share it.",
  jumps: "On this page",
  zone: "Dates and times on this page are in UTC, the same as on your receipts.",
  nothing: "You have not been asked anything here yet.",
  kinds: {
    cookies: "Cookies and trackers",
    processings: "Use of your data",
    contracts: "Document",
  } as Record<string, string>,
  statuses: {
    accepted: "Accepted",
    refused: "Refused",
    withdrawn: "Withdrawn",
    expired: "Expired",
    superseded: "Asked again: changed since your answer",
    "never-asked": "Not answered",
  } satisfies Record<Status, string>,
  since: (date: string) => `since ${date}`,
  answeredOn: (date: string) => `answered on ${date}`,
  until: (date: string) => `valid until ${date}`,
  imported: (tool: string, day?: string) =>
    day === undefined ? `imported from ${tool}` : `imported from ${tool}, answered on ${day}`,
  over: "No longer asked",
  accept: "Accept",
  refuse: "Refuse",
  policy: "Privacy policy",
  allOfThem: "All of them",
  acceptAll: "Accept all",
  refuseAll: "Refuse all",
  of: (what: string, name: string) => `${what}: ${name}`,
  shown: (version: number, of?: string) =>
    `The texts you were shown${of === undefined ? "" : ` for ${of}`} (version ${version})`,
  alsoNow: (title: string) => `${title}: still current, and accepted with “Accept”`,
  unknownWords:
    "It is not known which texts you were shown, because nothing was published at that time.",
  importedWords:
    "You answered in another consent tool, so the texts you were shown are not known here.",
  now: (version: number) => `The current texts (version ${version}): accepted with “Accept”`,
  history: "Your answers and receipts",
  date: "Date",
  what: "Subject",
  answer: "Answer",
  receipt: "Receipt",
  no: "Refused",
  all: (count: number) => `all ${count}`,
  part: (some: number, count: number) => `${some} of ${count}`,
  count: (count: number) => `${count} answers`,
  pdf: "PDF",
  json: "File (JSON)",
  cut: "This page does not show everything. Ask the site for the rest.",
  check: "Verify a receipt",
  checkOne: "Verify",
  checked: {
    title: "Result of the verification",
    holds: { true: "Confirmed:", false: "Failed:", null: "Not established:" } as Readonly<
      Record<string, string>
    >,
    byUs: "This service verified the receipt itself, with the keys of its own log. For an independent verification, download the file and check it on another machine: the verifier needs no network and no account.",
    take: "Download the file (JSON)",
    elsewhere: "Open the verifier (needs JavaScript)",
    back: "Back to your answers",
  },
  checkLead:
    "The file proves that your answer and these texts were recorded at that time and have not changed since. Anyone can verify it, without us:",
  contact: "Contact",
  noContact: "Questions about your data? Ask the site:",
  responsible: "Controller",
  officer: "Data protection officer",
  email: "E-mail",
  address: "Address",
  site: "Website",
  saved: (at: string, what: string, answer: string) =>
    `Saved just now, at ${at}: ${what} – ${answer}`,
  savedTitle: (title: string) => `Saved · ${title}`,
  undo: "Undo: accept again",
  undoMany: (count: number) => `Undo: accept these ${count} again`,
  items: (name: string, count: number) => `${name} (${count} answers)`,
  many: (count: number) => `Show all ${count}`,
  others: (count: number) =>
    count === 1
      ? "1 more question that you were not asked"
      : `${count} more questions that you were not asked`,
  othersLead: "The site asks these in another language or on other pages.",
  rights: {
    title: "Your data and your rights",
    copy: "Get a copy of your data",
    copyLead:
      "One file (JSON) with everything that is stored here about you: your answers, their history and the addresses of this page. To keep this page on paper or as a PDF, print it.",
    copyGet: "Download my data",
    erasure: "Have your data erased",
    erasureLead:
      "Ask the site to erase your answers and their receipts. It has one month to erase them or to explain why it may keep them.",
    erasureAsk: "Ask for erasure…",
    erasureOpen: (asked: string, due: string) =>
      `You asked for erasure on ${asked}. The site has to answer by ${due}. Once your data is erased, this page no longer opens.`,
    erasureDeclined: (date: string) =>
      `The site closed your request on ${date} without erasing your data. It has to explain why. You can ask again, or complain.`,
    complaint: "Complain",
    complaintLead:
      "If you think that your data is not handled lawfully, contact the site first: its address is below. You can also complain to a data protection authority, where you live, where you work or where it happened. It is free.",
    complaintCalifornia:
      "If you think that your privacy rights under California law were violated, contact the site first: its address is below. You can also file a complaint with the California Privacy Protection Agency. It is free.",
    authorities: "Data protection authorities in Europe",
  },
  addresses: {
    title: "Addresses of this page",
    lead: "Each address below opens this page without a password. Deactivate those that you no longer need. Your answers do not change.",
    own: "The address you are using now",
    byVisitor: "Opened from the site",
    bySite: "Sent by the site",
    validity: (created: string, expires: string) => `Created ${created}, works until ${expires}`,
    many: (count: number) => `Show all ${count} addresses`,
    end: "Deactivate",
    endOwn: "Deactivate…",
    endAll: "Deactivate all…",
  },
  erasing: {
    title: "Ask the site to erase your data?",
    lead: "The site will get your request now, and has one month to answer. If it erases your data, your answers and receipts are gone for good, and it may ask you again on your next visit. To only say no from now on, refuse on your page instead.",
    yes: "Ask for erasure",
    no: "Cancel",
  },
  endingAll: {
    title: "Deactivate all addresses?",
    lead: "Nobody will be able to open this page with any of them, not even you. Your answers do not change. You can open this page again from the site.",
    yes: "Deactivate all",
    no: "Keep",
  },
  ending: {
    title: "Deactivate this address?",
    lead: "Nobody will be able to open this page with it, not even you. Your answers do not change. The site can give you a new address.",
    yes: "Deactivate",
    no: "Keep",
  },
  gone: {
    title: "Page not found",
    lead: "This address does not exist, has expired, or was deactivated. Ask the site for a new one.",
  },
  ended: {
    title: "This address is deactivated",
    lead: "Nobody can open it any longer. Your answers have not changed.",
  },
  waiting: {
    title: "Please wait",
    lead: "Your answer is being added to the log that proves it. This page reloads in a few seconds.",
  },
  busy: { title: "Too many requests", lead: "Please try again in a minute." },
  invalid: { title: "Something went wrong", lead: "Go back, reload the page and try again." },
};

export type PersonWords = typeof en;

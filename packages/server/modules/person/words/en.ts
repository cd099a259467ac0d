import type { Status } from "../../consents/states/states.ts";

/** The texts of the page, in English. */
export const en = {
  locale: "en-GB",
  title: (project: string) => `Your choices at ${project}`,
  lead: "See what you were asked, what you answered, and the texts you were shown. You can change your answers here at any time.",
  private:
    "Anyone with the address of this page can read and change your answers. Do not share it.",
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
  until: (date: string) => `valid until ${date}`,
  imported: (tool: string, day?: string) =>
    day === undefined ? `imported from ${tool}` : `imported from ${tool}, answered on ${day}`,
  over: "No longer asked",
  accept: "Accept",
  refuse: "Refuse",
  withdraw: "Withdraw",
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
  link: "The address of this page",
  ends: (date: string) =>
    `It works until ${date}. After that, or if you deactivate it, nobody can open it.`,
  end: "Deactivate now…",
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

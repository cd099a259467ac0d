import type { Status } from "../../consents/states.ts";

/** Everything that the page says of its own, in English. */
export const en = {
  locale: "en-GB",
  title: (project: string) => `Your choices at ${project}`,
  lead: "This is what you were asked, what you answered, and the words that you were shown. You can change each answer here, at any time.",
  private:
    "Whoever has the address of this page can read and change your answers. Do not pass it on.",
  nothing: "Nothing is asked here, and nothing is recorded.",
  kinds: {
    cookies: "Cookies and trackers",
    processings: "Use of your data",
    contracts: "Document",
  } as Record<string, string>,
  statuses: {
    accepted: "Accepted",
    refused: "Refused",
    withdrawn: "Withdrawn",
    expired: "Has ended",
    superseded: "Asked anew: it has changed since",
    "never-asked": "Not answered",
  } satisfies Record<Status, string>,
  since: (date: string) => `since ${date}`,
  until: (date: string) => `holds until ${date}`,
  over: "Not asked any more",
  accept: "Accept",
  refuse: "Refuse",
  withdraw: "Withdraw",
  acceptAll: "Accept all",
  refuseAll: "Refuse all",
  of: (what: string, name: string) => `${what}: ${name}`,
  shown: (version: number) => `The words that you were shown (version ${version})`,
  unknownWords: "Which words you were shown is not known: nothing was published then.",
  now: (version: number) => `The words of today (version ${version}): what you accept by Accept`,
  history: "Your answers, and their receipts",
  date: "When",
  what: "What",
  answer: "Answer",
  receipt: "Receipt",
  some: "Accepted, all or some",
  no: "Refused",
  pdf: "PDF",
  json: "File (JSON)",
  cut: "There is more than this page shows: ask the site for all of it.",
  check: "Check a receipt",
  checkLead:
    "The file proves that your answer and these words were recorded then and not changed since. Anybody can check it, without us:",
  link: "This address",
  ends: (date: string) => `It works until ${date}.`,
  end: "End it now",
  gone: {
    title: "Nothing here",
    lead: "This address does not exist, has ended, or was ended. Ask the site for another one.",
  },
  ended: {
    title: "This address has ended",
    lead: "Nobody can open it any more. Your answers stay as they are.",
  },
  waiting: {
    title: "In a moment",
    lead: "Your answer is being entered into the log that proves it. This page looks again in a few seconds.",
  },
  busy: { title: "Too much at once", lead: "Please try again in a minute." },
  invalid: { title: "That did not work", lead: "Go back, load the page anew, and try again." },
};

export type PersonWords = typeof en;

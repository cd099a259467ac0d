import type { Status } from "../../consents/states/states.ts";

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
  shown: (version: number, of?: string) =>
    `The words that you were shown${of === undefined ? "" : ` for ${of}`} (version ${version})`,
  alsoNow: (title: string) => `${title}: those of today, what you accept by Accept`,
  unknownWords: "Which words you were shown is not known: nothing was published then.",
  now: (version: number) => `The words of today (version ${version}): what you accept by Accept`,
  history: "Your answers, and their receipts",
  date: "When",
  what: "What",
  answer: "Answer",
  receipt: "Receipt",
  no: "Refused",
  all: (count: number) => `all ${count}`,
  part: (some: number, count: number) => `${some} of ${count}`,
  count: (count: number) => `${count} answers`,
  pdf: "PDF",
  json: "File (JSON)",
  cut: "There is more than this page shows: ask the site for all of it.",
  check: "Check a receipt",
  checkOne: "Check",
  checked: {
    title: "What the check of this receipt found",
    holds: { true: "Holds:", false: "Does not hold:", null: "Not established:" } as Readonly<
      Record<string, string>
    >,
    byUs: "This service made the check itself, with the keys of its own log. Whoever would not take its word takes the file and has another machine check it: the verifier needs no network and nobody’s account.",
    take: "The file (JSON)",
    elsewhere: "The verifier (needs scripts)",
    back: "Back to your answers",
  },
  checkLead:
    "The file proves that your answer and these words were recorded then and not changed since. Anybody can check it, without us:",
  contact: "Who to ask",
  noContact: "Questions about your data? Ask the site:",
  responsible: "Responsible",
  officer: "Data protection",
  email: "E-mail",
  address: "Address",
  site: "Website",
  saved: (at: string, what: string, answer: string) =>
    `Saved just now, at ${at}: ${what} – ${answer}`,
  savedTitle: (title: string) => `Saved · ${title}`,
  undo: "Undo: accept it again",
  undoMany: (count: number) => `Undo: accept these ${count} again`,
  items: (name: string, count: number) => `${name} (${count} answers)`,
  many: (count: number) => `All ${count}, one by one`,
  others: (count: number) =>
    count === 1 ? "One more that you were not asked" : `${count} more that you were not asked`,
  othersLead: "The site asks for them in another language, or on other pages.",
  link: "The address of this page",
  ends: (date: string) =>
    `It works until ${date}. Then, or if you end it, nobody can open it any more.`,
  end: "End it now…",
  ending: {
    title: "End this address?",
    lead: "Nobody can open this page by it any more, not even you. Your answers stay as they are. The site can give you another address.",
    yes: "End it",
    no: "Keep it",
  },
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

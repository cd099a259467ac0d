import type { ChangeClass } from "../../publish/changes/change.ts";

/** The texts of the review page, in English. */
export const en = {
  locale: "en-GB",
  title: (project: string) => `Review of ${project}`,
  lead: (recipient: string, day: string) =>
    `A draft of consent texts for ${recipient} to review, until ${day}. Nothing on this page is visible to visitors of the website.`,
  private:
    "Everybody who has this address can read the draft and act in your name. Do not share it.",
  website: "Website",
  live: (version: number, day: string) => `Version ${version} is live since ${day}.`,
  notLive: "Nothing is live yet.",
  jumps: "On this page",
  zone: "Dates and times are in UTC.",
  done: {
    approved: "You have approved this draft.",
    "changes-requested": "You have asked for changes.",
    withdrawn: "Your decision was withdrawn.",
    comment: "Your comment was added.",
  },
  changes: {
    title: "Changes from the live version",
    none: "The draft is the same as the live version.",
    first: "Nothing is live yet, so everything is new.",
    more: (count: number) => `And ${count} more changes.`,
    asks: {
      again: "People who accepted are asked again",
      first: "Visitors are asked for the first time",
      nobody: undefined,
    },
    nothing: "nothing",
    kinds: { new: "new", removed: "removed", moved: "moved", changed: "changed" },
    classes: undefined as Readonly<Record<ChangeClass, string>> | undefined,
  },
  findings: {
    title: "Findings of the legal check",
    lead: "The check covers what software can. It is no legal advice.",
    none: "The check has no findings.",
    severities: { error: "Error", warning: "Warning" },
    source: "Source",
  },
  preview: {
    title: "Preview",
    light: "In light mode",
    dark: "In dark mode",
    frame: (name: string, mode: string) => `${name}: ${mode}`,
    script: "The preview needs JavaScript. All texts are below.",
    none: "The draft has no banner.",
    more: (count: number) => `${count} more banners are not shown here. Their texts are below.`,
  },
  texts: {
    title: "All texts of the draft",
    kinds: {
      cookies: "Banner",
      processings: "Use of data",
      contracts: "Document",
      contractsV2: "Document",
    },
    comment: "Comment on this",
    none: "The draft has no texts.",
  },
  comments: {
    title: "Comments",
    lead: "The members of the project see your comments, and you see theirs.",
    none: "There are no comments yet.",
    member: "A member of the project",
    deleted: "A deleted account",
    resolved: "Resolved",
    more: "Older comments are not shown here.",
    reply: "Reply",
    about: (name: string) => `About: ${name}`,
    whole: "The whole draft",
    add: "Add a comment",
    what: "About",
    send: "Add comment",
  },
  name: "Your name",
  text: "Comment",
  decision: {
    title: "Your decision",
    lead: "Your decision is for exactly this draft. If the draft is changed, you can decide again.",
    counts: "Your approval counts for the publication.",
    advisory:
      "The team sees your approval. It does not replace the approvals that publication requires.",
    approved: (name: string, day: string) => `Approved by ${name} on ${day}.`,
    asked: (name: string, day: string) => `${name} asked for changes on ${day}.`,
    void: "The draft was changed after your last decision, which is void.",
    approve: "Approve…",
    ask: "Ask for changes…",
    textFor: "Requested changes (only to ask for changes)",
    withdraw: "Withdraw the decision",
  },
  confirm: {
    approve: {
      title: "Approve this draft?",
      lead: (name: string) => `The draft is marked as approved by ${name}.`,
      yes: "Approve",
    },
    ask: {
      title: "Ask for changes?",
      lead: (name: string) => `The project gets your comment as a request for changes by ${name}.`,
      yes: "Ask for changes",
    },
    no: "Cancel",
  },
  back: "Back to the draft",
  gone: {
    title: "This page does not exist",
    lead: "The link is wrong, has expired or was revoked. Ask the person who sent it for another one.",
  },
  busy: { title: "Too many requests", lead: "Wait a minute, then try again." },
  invalid: {
    title: "Something is missing",
    lead: "Fill in your name and your text, then try again.",
  },
  changed: {
    title: "The draft was changed",
    lead: "Somebody changed the draft since you opened it, so nothing was recorded. Read it again, then decide.",
  },
  lost: {
    title: "Your comment was not saved",
    lead: "The thread was deleted or is full, or this link may not comment any more. Look at the draft again.",
  },
  broken: {
    title: "The draft cannot be shown",
    lead: "Ask the person who sent you the link to repair the draft.",
  },
};

export type ReviewWords = typeof en;

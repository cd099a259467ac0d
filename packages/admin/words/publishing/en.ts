/** What is said in English of publishing later, elsewhere, in spite of errors, and of its end. */
export const en = {
  schedule: {
    button: "Publish later…",
    title: "Scheduled",
    lead: "The project is published as it is then, if who asked for it still may.",
    dialog: "Publish later",
    text: "The project is published as it is then, not as it is now. What is live stays until then.",
    when: "When",
    zone: (zone: string) => `In your time zone, ${zone}; within a year.`,
    wrong: "It has to be in the future, and within a year.",
    submit: "Schedule it",
    done: (at: string) => `It is published on ${at}.`,
    on: (at: string) => `scheduled for ${at}`,
    cancel: "Call off",
    cancelTitle: "Call this publication off?",
    cancelText: (at: string) => `Nothing is published on ${at}. You can schedule it anew.`,
    cancelled: "It is called off.",
  },
  force: {
    reason: "Why the errors are overridden",
    reasonHint: "It is kept with the version and in the audit log.",
    overridden: (errors: number) =>
      errors === 1 ? "1 error was overridden:" : `${errors} errors were overridden:`,
  },
  staging: {
    name: "staging",
    title: "Staging",
    lead: "A publication to look at on a page of your own before visitors see it. Errors of the check do not stop it.",
    shows: (version: number) => `It shows version ${version}, published`,
    snippet: "Snippet for staging",
    open: "Whoever knows the project’s id can read it: put nothing there that is a secret until it is live.",
    button: "Publish to staging",
    done: (version: number) => `Version ${version} is on staging.`,
  },
  unpublish: {
    title: "Unpublish",
    lead: "Visitors are asked nothing any more, within seconds. Proofs and earlier versions stay.",
    button: "Unpublish",
    dialog: (title: string) => `Unpublish ${title}?`,
    text: "The banner and the boxes vanish from the website, and what is scheduled is called off. Publishing again brings them back.",
    confirm: "Type the project’s title to confirm",
    wrong: "This is another title.",
    done: "The project is unpublished.",
  },
};

export type PublishingWords = typeof en;

export const en = {
  schedule: {
    button: "Publish later…",
    title: "Scheduled",
    lead: "The project is published as it is at that time, if the person who scheduled it still has the right to.",
    dialog: "Publish later",
    text: "The project is published as it is at that time, not as it is now. The live version stays until then.",
    when: "When",
    zone: (zone: string) => `In your time zone, ${zone}; within a year.`,
    wrong: "Choose a time in the future, within a year.",
    submit: "Schedule",
    done: (at: string) => `Publication scheduled for ${at}.`,
    on: (at: string) => `scheduled for ${at}`,
    cancel: "Cancel publication",
    cancelTitle: "Cancel this publication?",
    cancelText: (at: string) => `Nothing is published on ${at}. You can schedule it again.`,
    cancelled: "The publication is cancelled.",
  },
  force: {
    reason: "Reason for overriding the errors",
    reasonHint: "The reason is kept with the version and in the audit trail.",
    overridden: (errors: number) =>
      errors === 1 ? "1 error was overridden:" : `${errors} errors were overridden:`,
  },
  staging: {
    name: "staging",
    title: "Staging",
    lead: "Publish to a page of your own, and review the result before visitors see it. Errors of the publish check do not block it.",
    shows: (version: number) => `Version ${version} is on staging, published`,
    snippet: "Snippet for staging",
    open: "Anyone who knows the project’s id can read it. Do not put anything there that is secret until it is live.",
    button: "Publish to staging",
    done: (version: number) => `Version ${version} is on staging.`,
  },
  unpublish: {
    title: "Unpublish",
    lead: "Within seconds, visitors are no longer asked. Proofs and earlier versions are kept.",
    button: "Unpublish",
    dialog: (title: string) => `Unpublish ${title}?`,
    text: "The banner and the forms disappear from the website, and scheduled publications are cancelled. Publish again to bring them back.",
    confirm: "Type the project’s title to confirm",
    wrong: "The title does not match.",
    done: "The project is unpublished.",
  },
};

export type PublishingWords = typeof en;

/** Texts of an organization's brand. */
export const en = {
  title: "Brand",
  lead: "Clients and visitors see it on the pages of visitors, on invitations and in mails about the projects.",
  name: "Shown as",
  nameHint: "The name of the brand. No brand is shown without it.",
  logo: "Logo",
  noLogo: "No logo",
  chooseLogo: "Choose logo",
  removeLogo: "Remove logo",
  color: "Accent color",
  colorHint:
    "As #rrggbb, with a contrast of at least 4.5 with white. Dark mode keeps its own accent.",
  colorFault:
    "Enter #rrggbb, and choose a color that is readable on white (contrast of at least 4.5).",
  support: "Address for questions",
  supportHint: "Shown on the pages of visitors and at the end of mails.",
  sender: "Sender of mails",
  senderHint:
    "The name before that of the service, whose address stays the sender’s. Default: the name of the brand.",
  replyTo: "Address for answers",
  replyToHint: "Answers to mails go there (Reply-To).",
  emailFault: "Enter an e-mail address.",
  save: "Save brand",
  saved: "The brand is saved.",
  domain: {
    title: "Domain",
    lead: "Links to the pages of visitors, to reviews and in invitations start with it, if the brand has a name. Point it to this service first: with DNS, and in the proxy before it.",
    host: "Host name",
    hostHint:
      "A host of your own, such as consent.agency.example. The service checks that it leads here, and again every day.",
    hostFault: "Enter a host name, without https:// and without a path.",
    set: "Set and check",
    check: "Check again",
    found: (url: string) => `Links start with ${url}.`,
    lost: (host: string) => `Links do not start with ${host} yet:`,
    checked: (ago: string) => `Checked ${ago}.`,
    remove: "Remove",
    removeTitle: (host: string) => `Remove ${host}?`,
    removeLead:
      "New links start with the address of the service. Links that were sent keep working as long as the host leads here.",
    removed: "The domain is removed.",
  },
};

export type BrandWords = typeof en;

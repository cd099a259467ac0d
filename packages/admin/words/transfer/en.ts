/** Texts of the transfer of a project to another organization. */
export const en = {
  offer: {
    title: "Transfer",
    lead: "Offer the project to another organization. It moves once they accept.",
    button: "Offer project",
    dialogTitle: (title: string) => `Offer “${title}”`,
    to: "E-mail address of the new owner, or id of their organization",
    toHint: "The offer ends after seven days. You can revoke it until it is accepted.",
    submit: "Send offer",
    sent: "The offer is sent.",
    notMailed:
      "The offer is made, but the address got too many mails today. Hand this link over yourself; it is shown once:",
    pending: (to: string, until: string) => `Offered to ${to} until ${until}.`,
    organization: (id: string) => `the organization ${id}`,
    revoke: "Revoke offer",
    revoked: "The offer is revoked.",
    wrong: "Enter an e-mail address, or the id of an organization.",
  },
  effects: {
    moves: "Moves: the configuration, the published banner and forms, consents and proofs.",
    copied: "Is copied: vendors of the organization and files that the project uses.",
    ends: "Ends: the access of all members, with their API keys, webhooks and invitations; groups; the link to a template.",
    stays:
      "Stays with the old organization: earlier entries of its audit trail, its own vendors and files.",
  },
  accept: {
    title: "A project is offered to you",
    unknownTitle: "This offer is not valid",
    unknown: "It was used, revoked or declined, or it has expired. Ask for a new one.",
    lead: (offerer: string, title: string) => `${offerer} offers you the project “${title}”.`,
    site: "Website",
    until: "Offered until",
    contents: (count: number) =>
      count === 1 ? "1 banner, form or text" : `${count} banners, forms and texts`,
    copies: ({ vendors, files }: { vendors: number; files: number }) =>
      `${vendors} vendors and ${files} files are copied`,
    members: (count: number) =>
      count === 1 ? "1 person loses access" : `${count} people lose access`,
    republish:
      "Publish the project once after the transfer, so that visitors get the copied files.",
    bound: (hint: string) => `Only an account that has confirmed the address ${hint} can accept.`,
    toConfirm: "Confirm your e-mail address first.",
    account: "Open your account",
    as: (name: string) => `You are signed in as ${name}.`,
    organization: "Organization that gets it",
    into: (name: string) => `It goes to the organization “${name}”.`,
    create: "A new organization",
    name: "Name of the new organization",
    submit: "Accept project",
    accepted: "The project is yours.",
    decline: "Decline",
    declined: "The offer is declined.",
    signIn: "Sign in",
    signUp: "Create account",
    hasAccount: "I have an account",
    noAccount: "I have no account",
  },
  offered: {
    title: "Offered to you",
    lead: "Projects that others want to hand over to you.",
    review: (title: string) => `Review “${title}”`,
    by: (name: string) => `by ${name}`,
  },
};

export type TransferWords = typeof en;

/** Texts of the operators' screen. */
export const en = {
  title: "Instance",
  lead: "Settings of this installation. Only its operators see this page.",
  signups: "Sign-ups",
  signupsLead: "People who can create an account. Existing accounts are not affected.",
  modes: {
    open: { name: "Open", hint: "Everyone who reaches this service can create an account." },
    invitation: {
      name: "By invitation",
      hint: "Only people with an invitation to a project or an organization.",
    },
    closed: { name: "Closed", hint: "Nobody, not even with an invitation." },
  },
  save: "Save",
  saved: "Saved. It applies at once.",
  fixed: "The setting SIGNUPS of the service decides. Remove it there to choose here.",
  operators: "Operators",
  operatorsLead:
    "People who change these settings, plans of organizations, and accounts of others. They do not see the projects of others.",
  person: "Person",
  since: "Since",
  you: "you",
  remove: "Remove",
  removeTitle: (name: string) => `Remove ${name} from the operators?`,
  removeText: "Their account and their projects stay.",
  removed: (name: string) => `${name} is no longer an operator.`,
  last: "The last operator cannot be removed.",
  email: "E-mail address of the account",
  add: "Add operator",
  added: (name: string) => `${name} is an operator now.`,
  unknown: "No account has confirmed this address. Ask the person to sign up first.",
};

export type InstanceWords = typeof en;

export const en = {
  title: "Settings",
  lead: "The website, and the controller of its visitors’ data.",
  readOnly: "You can view this, but not change it.",
  site: "Website",
  siteLead: "Visitors see the title on their own page.",
  websiteURL: "Address of the website",
  name: "Title",
  officer: "Controller",
  officerLead:
    "Visitors must know who controls their data and whom they can contact. It is published with the banner and the forms.",
  processor: "Data processor",
  processorLead:
    "The company that processes the data on behalf of the controller, if there is one.",
  processorName: "Data processor",
  organization: "Organization",
  address: "Postal address",
  fullname: "Data protection officer",
  fullnameHint: "The name of the person, if there is one.",
  role: "Title of the officer",
  email: "E-mail address",
  emailHint: "The address that visitors write to about their data.",
  save: "Save",
  saved: "Saved. Visitors see the change once you publish.",
  unchanged: "Nothing to save.",
  merged: "The versions are merged. Review the form, then save.",
  toField: "Open it in the project’s settings",
  remove: "Delete project",
  removeLead: "Its banner and forms go offline. Proofs are kept until their retention period ends.",
  removeButton: "Delete",
  removeTitle: (title: string) => `Delete “${title}”?`,
  removeText:
    "The website no longer asks its visitors anything, and nobody can see the project here. This cannot be undone.",
  removeConfirm: "Type the title of the project to confirm",
  removeWrong: "The title does not match.",
  removed: (title: string) => `“${title}” is deleted.`,
};

export type ProjectWords = typeof en;

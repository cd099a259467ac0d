/** What is said in English of the settings of a project. */
export const en = {
  title: "Settings",
  lead: "The website, and who answers for the data of its visitors.",
  readOnly: "You may look at this, and not change it.",
  site: "Website",
  siteLead: "Visitors read the name on their own page.",
  websiteURL: "Address of the website",
  name: "Title",
  officer: "Who is responsible",
  officerLead:
    "Visitors have to learn who is responsible for their data, and whom they can ask. It is published with the banner and the boxes.",
  processor: "Data processor",
  processorLead: "Who processes the data on behalf of who is responsible, where somebody does.",
  processorName: "Data processor",
  organization: "Organization",
  address: "Postal address",
  fullname: "Data protection officer",
  fullnameHint: "The name of the person, where there is one.",
  role: "Title of the officer",
  email: "E-mail address",
  emailHint: "Where visitors write about their data.",
  save: "Save",
  saved: "Saved. What visitors read changes when you publish.",
  unchanged: "There was nothing to save.",
  merged: "Look at it, and save.",
  toField: "Open it in the project’s settings",
  remove: "Delete the project",
  removeLead: "Its banner and boxes go off the air. Proofs are kept until their time is over.",
  removeButton: "Delete",
  removeTitle: (title: string) => `Delete “${title}”?`,
  removeText:
    "The website asks its visitors nothing any more, and nobody sees the project here. This cannot be undone.",
  removeConfirm: "Type the title of the project to confirm",
  removeWrong: "This is another title.",
  removed: (title: string) => `“${title}” is deleted.`,
};

export type ProjectWords = typeof en;

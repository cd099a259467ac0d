/** Texts of the command palette. */
export const en = {
  title: "Search",
  projectsTitle: "Switch project",
  field: "Search projects, screens and actions",
  projectsField: "Search projects by title, address or group",
  recent: "Recent projects",
  newest: "Changed last",
  projects: "Projects",
  screens: "This project",
  account: "Everywhere",
  actions: "Actions",
  newProject: "New project",
  publish: "Review and publish",
  invite: "Invite a member…",
  snippet: "Copy the snippet",
  snippetCopied: "The snippet is copied.",
  snippetMissing: "Publish the project first: it has no snippet yet.",
  snippetBlocked: "The browser did not allow copying. Copy the snippet from the overview.",
  searching: "Searching…",
  none: (typed: string) => `Nothing matches “${typed}”.`,
  found: (count: number) => (count === 1 ? "1 result" : `${count} results`),
  keys: "↑ ↓ to choose, Enter to open, Escape to close",
};

export type PaletteWords = typeof en;

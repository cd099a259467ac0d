/** Texts about many sites: their groups, copies, and tables of new sites. */
export const en = {
  groups: {
    title: "Groups",
    lead: "Labels that lists and statistics can be filtered by. Visitors do not see them.",
    none: "This project is in no group.",
    add: "Add to a group",
    addButton: "Add",
    remove: (name: string) => `Remove from “${name}”`,
    filter: "Group",
    all: "All groups",
    edit: "Edit groups",
    editLead: "Enter the groups to add the selected projects to or to remove them from.",
    projects: "Selected projects",
    addMany: "Add to groups",
    removeMany: "Remove from groups",
    manyHint: "Separate groups by commas.",
    save: "Save groups",
    nothing: "Enter a group.",
    tooMany: (max: number) => `A project has at most ${max} groups.`,
    tooLong: (max: number) => `The name of a group has at most ${max} characters.`,
    changed: (count: number) => (count === 1 ? "1 project changed." : `${count} projects changed.`),
    failed: (title: string, reason: string) => `${title}: ${reason}`,
    noMatch: "No project is in this group and matches the filter.",
  },
  clone: {
    title: "Clone",
    lead: "A copy for another website, in the same organization.",
    button: "Clone project",
    dialogTitle: (title: string) => `Clone “${title}”`,
    dialogLead:
      "Consents, proofs, publications, members, API keys and webhooks stay with the original. Nothing is published.",
    name: "Title of the copy",
    address: "Address of its website",
    configurations: "With banners, forms and vendors",
    configurationsHint: "Changes of the original do not reach the copy.",
    submit: "Clone",
    done: (title: string) => `“${title}” is created. Review it, then publish it.`,
  },
};

export type SitesWords = typeof en;

export const en = {
  title: "Move in from another product",
  lead: "Read the configuration of your old consent manager, and create a project from it. Nothing is published, and the old banner stays as it is.",
  source: "The old configuration",
  fromAddress: "From the website",
  fromFiles: "From files",
  addressLead:
    "The service fetches the page and the public files of the consent product that it names, and nothing else. Nothing is run, and this browser converts the files.",
  address: "Address of the website, or of the file",
  addressHint: "A page that shows the old banner, or the public file that it loads.",
  readAddress: "Read the website",
  reading: "Reading the website and the files that it names. This takes up to half a minute.",
  filesLead:
    "Exported files, or the scripts that your website loads. They are read in this browser, never run, and sent nowhere.",
  products: (names: string) => `Recognized: ${names}.`,
  choose: "Files",
  chooseHint: "JSON, JavaScript or a saved page of your website. Several files belong together.",
  filesNeeded: "Choose at least one file.",
  tooLarge: (name: string, size: string) => `${name} is larger than ${size}.`,
  site: "Address of the website",
  siteHint: "If the files do not name it.",
  adopt: "Adopt the answers that the old banner left in browsers",
  adoptHint: "Visitors who answered the old banner are not asked again for what they answered.",
  read: "Read the files",
  found: (product: string) => `From ${product}`,
  languages: "Languages",
  categories: "Categories",
  vendors: (count: number) => (count === 1 ? "1 vendor" : `${count} vendors`),
  always: "always on",
  create: "Create the project",
  created: (title: string) => `The project “${title}” is created`,
  createdLead:
    "Nothing is published, and the old banner stays as it is. The report below stays until you reload or close this window. Download it to keep it.",
  open: "Open the project",
  restart: "Move in another website",
  steps: {
    decide: (count: number) => ({
      name:
        count === 0
          ? "Compare both banners"
          : count === 1
            ? "Decide the open point of the report"
            : `Decide the ${count} open points of the report`,
      hint: "Then compare the new banner with the old one. The proposal is no legal advice.",
      action: "Edit the banner",
    }),
    publish: {
      name: "Publish",
      hint: "The check before it names what is missing.",
      action: "Check and publish",
    },
    replace: {
      name: "Replace the old snippet",
      hint: "First on a page that few people visit. The snippet is in the project after publication.",
      action: "Show the snippet",
    },
  },
  consents: {
    title: "Consents",
    lead: "Answers that the old product has collected can be imported after publication.",
    open: "Exports and imports",
    exports: {
      events: "the events of its batch export, for users with an organization user id.",
      undocumented:
        "it has an export, whose columns are not publicly documented. Write a CSV or NDJSON file from it.",
      database: "the tables of your own database. Write a CSV or NDJSON file from them.",
      browsers: "it has no export. Answers are only in the visitors’ browsers.",
    },
    convert: "This command converts the events. It needs the file answers.json.",
    command: "Command that converts consents",
    answers: "Download answers.json",
    dryRun:
      "“Exports and imports” describes the columns. First tick “Only check the file”: the dry run shows how many answers would be added, and which lines would be rejected.",
    adopt:
      "The banner adopts them if that choice is ticked when you move in. This project was created without it.",
    adopted: "The banner adopts them at each visitor’s first visit.",
    grade:
      "the level of all imported consents. The log proves that they have not changed since the import, not that they were true before it.",
    others: "Exports of all products",
    product: "Product",
    export: "Export of consents",
    all: [
      ["Didomi", "events of its batch export; converted by a command"],
      ["OneTrust, Cookiebot, Usercentrics, Axeptio", "an export without public documentation"],
      ["c15t", "tables of your own database"],
      ["Klaro, CookieConsent, tarteaucitron", "none; answers are only in browsers"],
    ] as readonly (readonly [string, string])[],
  },
  report: "Report",
  reportLead: "Everything that was left out, changed, or has to be decided by a person.",
  complete: "Everything was mapped.",
  kinds: {
    decide: "To decide",
    "not mapped": "Not mapped",
    changed: "Changed",
    invalid: "Invalid in the source",
  },
  more: (count: number) => (count === 1 ? "and one more place" : `and ${count} more places`),
  omitted: (count: number) => `${count} further lines are left out.`,
  download: "Download the report",
};

export type MoveInWords = typeof en;

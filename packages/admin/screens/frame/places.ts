import { type Right, hasRight } from "../../data/projects/rights.ts";
import type { Role } from "../../data/projects/project.ts";
import { me } from "../../data/session.ts";
import type { IconName } from "../../ui/icons.tsx";
import { words } from "../../words/words.ts";

/** A screen that the navigation and the command palette lead to. */
export interface Place {
  /** The path in the app. */
  to: string;
  icon: IconName;
  text: string;
  /** Whether the item is current on this path only, not on those below. */
  isExact?: boolean;
}

/** A group of the navigation; the first one of a project has no title. */
export interface PlaceGroup {
  title?: string;
  places: readonly Place[];
}

type Row = readonly [
  path: string,
  icon: IconName,
  text: keyof typeof words.value.project.sections,
  right?: Right,
];

type Group = keyof typeof words.value.project.groups;

const projectRows: readonly (readonly [title: Group, rows: readonly Row[]])[] = [
  [
    "build",
    [
      ["/cookies", "banner", "cookies", "readConfigurations"],
      ["/boxes", "box", "boxes", "readConfigurations"],
      ["/scans", "globe", "scans", "readConfigurations"],
      ["/reviews", "comment", "reviews", "readConfigurations"],
      ["/publish", "send", "publish", "readConfigurations"],
    ],
  ],
  [
    "evidence",
    [
      ["/consents", "answers", "consents"],
      ["/audit", "book", "audit", "readTrail"],
      ["/log", "seal", "log"],
    ],
  ],
  ["insights", [["/statistics", "chart", "statistics"]]],
  [
    "connect",
    [
      ["/webhooks", "hook", "webhooks", "write"],
      ["/transfers", "exchange", "transfers"],
    ],
  ],
  [
    "project",
    [
      ["/activity", "clock", "activity", "readConfigurations"],
      ["/team", "people", "team", "readConfigurations"],
      ["/settings", "sliders", "settings", "readConfigurations"],
    ],
  ],
];

/** The screens of a project that these roles may open, by group. Groups without screens are left out. */
export function listProjectPlaces(
  projectId: string,
  roles: readonly Role[] | undefined,
): readonly PlaceGroup[] {
  const { sections, groups } = words.value.project;
  const at = `/projects/${projectId}`;
  const home: PlaceGroup = {
    places: [{ to: at, icon: "home", text: sections.home, isExact: true }],
  };
  const grouped = projectRows.map(([title, rows]) => ({
    title: groups[title],
    places: rows
      .filter(([, , , right]) => right === undefined || hasRight(roles, right))
      .map(([path, icon, text]) => ({ to: at + path, icon, text: sections[text] })),
  }));
  return [home, ...grouped.filter(({ places }) => places.length > 0)];
}

/** The screens of an organization that these roles may open. */
export function listOrganizationPlaces(
  organizationId: string,
  roles: readonly Role[] | undefined,
): readonly Place[] {
  const { sections } = words.value.organization;
  const at = `/organizations/${organizationId}`;
  const places: (Place & { right?: Right })[] = [
    { to: at, icon: "home", text: sections.home, isExact: true },
    { to: `${at}/team`, icon: "people", text: sections.team, right: "readConfigurations" },
    { to: `${at}/plan`, icon: "card", text: sections.plan, right: "own" },
  ];
  return places.filter(({ right }) => right === undefined || hasRight(roles, right));
}

/** The screens of the account. */
export function listAccountPlaces(): readonly Place[] {
  const { app } = words.value;
  const places: Place[] = [
    { to: "/projects", icon: "globe", text: app.projects, isExact: true },
    { to: "/assets", icon: "picture", text: app.files },
    { to: "/organizations", icon: "building", text: app.organizations, isExact: true },
  ];
  if (me.value?.operator) places.push({ to: "/instance", icon: "sliders", text: app.instance });
  return places;
}

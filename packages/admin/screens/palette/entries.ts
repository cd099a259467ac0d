import { listPublishJobs } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { base } from "../../browser/base.ts";
import { go } from "../../browser/router.ts";
import type { Role } from "../../data/projects/project.ts";
import { hasRight } from "../../data/projects/rights.ts";
import { me, signOut } from "../../data/session.ts";
import type { IconName } from "../../ui/icons.tsx";
import { notify } from "../../ui/toast.tsx";
import { paletteWords } from "../../words/palette/words.ts";
import { chooseLanguage, language, languageNames, languages, words } from "../../words/words.ts";
import { type Place, listAccountPlaces, listProjectPlaces } from "../frame/places.ts";
import { toPlain } from "../install/snippet.tsx";

/** Newest jobs, among which the last publication is looked up. */
const JOBS = 10;

/** An entry of the palette. */
export interface Entry {
  id: string;
  icon: IconName;
  text: string;
  hint?: string;
  /** Further words that find it. */
  keywords?: string;
  run: () => void | Promise<void>;
}

export interface EntryGroup {
  title: string;
  entries: readonly Entry[];
}

/** The entry that opens a path of the app. */
export function toEntry({ to, icon, text }: Place): Entry {
  return { id: to, icon, text, run: () => go(to) };
}

/** The entry of a project's screen, which its tasks find, too. */
function toScreen(place: Place): Entry {
  const name = place.to.split("/")[3] ?? "";
  const { tasks } = paletteWords.value;
  return { ...toEntry(place), ...(isTask(name) && { keywords: tasks[name] }) };
}

function isTask(name: string): name is keyof typeof paletteWords.value.tasks {
  return Object.hasOwn(paletteWords.value.tasks, name);
}

/** The screens of the project and of the account, and the actions, as far as these roles have them. */
export function listEntries(
  projectId: string | undefined,
  roles: readonly Role[] | undefined,
): readonly EntryGroup[] {
  const texts = paletteWords.value;
  const { app } = words.value;
  const screens =
    projectId === undefined || roles === undefined
      ? []
      : listProjectPlaces(projectId, roles).flatMap(({ title, places }) =>
          places.map((place) => ({ ...toScreen(place), ...(title ? { hint: title } : {}) })),
        );
  const account: Place = { to: "/account", icon: "user", text: app.account };
  const notifications: Place = { to: "/notifications", icon: "bell", text: app.notifications };
  return [
    { title: texts.screens, entries: screens },
    { title: texts.actions, entries: listActions(projectId, roles) },
    {
      title: texts.account,
      entries: [...listAccountPlaces(), notifications, account].map(toEntry),
    },
  ];
}

function listActions(
  projectId: string | undefined,
  roles: readonly Role[] | undefined,
): readonly Entry[] {
  const texts = paletteWords.value;
  const actions: Entry[] = [];
  const add = (icon: IconName, text: string, run: Entry["run"]): void => {
    actions.push({ id: text, icon, text, run });
  };
  if (projectId !== undefined && hasRight(roles, "write"))
    add("send", texts.publish, () => go(`/projects/${projectId}/publish`));
  if (projectId !== undefined && hasRight(roles, "readConfigurations"))
    add("copy", texts.snippet, () => copySnippet(projectId));
  if (projectId !== undefined && hasRight(roles, "own"))
    add("people", texts.invite, () => go(`/projects/${projectId}/team?invite=1`));
  if (projectId !== undefined && hasRight(roles, "write"))
    add("globe", texts.scan, () => go(`/projects/${projectId}/scans`));
  if (projectId !== undefined && hasRight(roles, "readConfigurations"))
    add("comment", texts.review, () => go(`/projects/${projectId}/reviews`));
  if (projectId !== undefined && hasRight(roles, "own"))
    add("exchange", texts.handOver, () => go(`/projects/${projectId}/settings`));
  add("plus", texts.newProject, () => go("/projects/new"));
  add("plus", texts.manyProjects, () => go("/projects/bulk"));
  add("plus", texts.moveIn, () => go("/projects/move-in"));
  add("building", texts.newOrganization, () => go("/organizations"));
  add("book", words.value.app.reference, () => location.assign(`${base}/docs`));
  for (const other of languages.filter((one) => one !== language.value))
    add("globe", languageNames[other], () => chooseLanguage(other));
  if (me.value) add("back", words.value.app.signOut, signOut);
  return actions;
}

async function copySnippet(projectId: string): Promise<void> {
  const { snippetCopied, snippetMissing, snippetBlocked } = paletteWords.value;
  const query = { projectId, perPage: JOBS, environment: "production" } as const;
  const jobs = await send(listPublishJobs, { query });
  const job = jobs.find(({ status, files }) => status === "Done" && files);
  if (!job) return notify(snippetMissing);
  try {
    await navigator.clipboard.writeText(toPlain(job));
    notify(snippetCopied);
  } catch {
    notify(snippetBlocked);
  }
}

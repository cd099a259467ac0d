import { path, toHref } from "../../browser/router.ts";
import { titles } from "../../data/projects/project.ts";
import { words } from "../../words/words.ts";

/** The ancestors of the current screen, whose own title is the heading below. */
export function Crumbs() {
  const { app } = words.value;
  const ancestors = listAncestors(path.value, titles.value);
  if (ancestors.length === 0) return null;
  return (
    <nav class="crumbs" aria-label={app.breadcrumb}>
      <ol>
        {ancestors.map(([to, text]) => (
          <li key={to}>
            <a href={toHref(to)}>{text}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

type Ancestor = readonly [to: string, text: string];

function listAncestors(here: string, names: Readonly<Record<string, string>>): Ancestor[] {
  const { app, project } = words.value;
  const [, area = "", id, section, below] = here.split("/");
  const areas: Record<string, string> = {
    projects: app.projects,
    organizations: app.organizations,
    assets: app.files,
    account: app.account,
  };
  const areaText = areas[area];
  if (areaText === undefined || id === undefined) return [];
  const found: Ancestor[] = [[`/${area}`, areaText]];
  // A project that the user cannot see has no name.
  const name = names[id];
  if (section === undefined || name === undefined) return found;
  found.push([`/${area}/${id}`, name]);
  // Both kinds of forms are in one list.
  const list = section === "processings" || section === "contracts" ? "boxes" : section;
  const text = (project.sections as Record<string, string>)[list];
  if (below !== undefined && text !== undefined) found.push([`/${area}/${id}/${list}`, text]);
  return found;
}

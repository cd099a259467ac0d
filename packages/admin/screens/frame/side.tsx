import { base } from "../../browser/base.ts";
import { path, toHref } from "../../browser/router.ts";
import { useIsHidden, useOrganizationRoles, useRoles } from "../../data/projects/rights.ts";
import { me, signOut } from "../../data/session.ts";
import { Icon, Mark } from "../../ui/icons.tsx";
import { chooseLanguage, language, languageNames, languages, words } from "../../words/words.ts";
import { ProjectName } from "./name.tsx";
import { openPalette } from "./palette-state.ts";
import {
  type Place,
  type PlaceGroup,
  listAccountPlaces,
  listOrganizationPlaces,
  listProjectPlaces,
} from "./places.ts";

interface SideProps {
  projectId: string | undefined;
  organizationId: string | undefined;
}

/** The content of the sidebar. Only the middle scrolls, so that signing out is always visible. */
export function Side({ projectId, organizationId }: SideProps) {
  return (
    <>
      <div class="side-head">
        <a class="brand" href={toHref("/projects")}>
          <Mark />
          <span>Avow</span>
        </a>
        <Switcher id={projectId ?? organizationId} />
      </div>
      <div class="side-groups">
        {projectId !== undefined && <ProjectItems projectId={projectId} />}
        {organizationId !== undefined && <OrganizationItems id={organizationId} />}
        <Group
          group={{
            places: listAccountPlaces(),
            ...((projectId ?? organizationId) === undefined
              ? {}
              : { title: words.value.app.everywhere }),
          }}
        />
      </div>
      <Foot />
    </>
  );
}

/** The current project or organization; opens the search for another project. */
function Switcher({ id }: { id: string | undefined }) {
  const { app } = words.value;
  return (
    <button type="button" class="switcher" onClick={() => openPalette("projects")}>
      <Icon name="globe" />
      <span class="cut">
        {id === undefined ? (
          app.switchProject
        ) : (
          <>
            <ProjectName id={id} />
            <span class="hidden">, {app.switchProject}</span>
          </>
        )}
      </span>
      <Icon name="switch" />
    </button>
  );
}

function ProjectItems({ projectId }: { projectId: string }) {
  const roles = useRoles(projectId);
  if (useIsHidden(projectId)) return null;
  return (
    <>
      {listProjectPlaces(projectId, roles).map((group) => (
        <Group key={group.title ?? ""} group={group} />
      ))}
    </>
  );
}

function OrganizationItems({ id }: { id: string }) {
  const roles = useOrganizationRoles(id);
  return <Group group={{ places: listOrganizationPlaces(id, roles) }} />;
}

function Group({ group: { title, places } }: { group: PlaceGroup }) {
  return (
    <div>
      {title !== undefined && <p class="side-title">{title}</p>}
      <ul aria-label={title}>
        {places.map((place) => (
          <Item key={place.to} {...place} />
        ))}
      </ul>
    </div>
  );
}

function Item({ to, icon, text, isExact = false }: Place) {
  const here = path.value;
  const isCurrent = isExact ? here === to : here === to || here.startsWith(`${to}/`);
  return (
    <li>
      <a href={toHref(to)} aria-current={isCurrent ? "page" : undefined}>
        <Icon name={icon} />
        {text}
      </a>
    </li>
  );
}

function Foot() {
  const { app } = words.value;
  return (
    <div class="side-foot">
      <ul>
        <Item to="/account" icon="user" text={me.value?.displayName ?? app.account} />
      </ul>
      <div class="side-small">
        <a href={`${base}/docs`}>{app.reference}</a>
        <LanguageChoice />
        <button type="button" class="link" onClick={() => void signOut()}>
          {app.signOut}
        </button>
      </div>
    </div>
  );
}

/** Buttons for the other languages, each in its own name. */
export function LanguageChoice() {
  const others = languages.filter((one) => one !== language.value);
  return (
    <>
      {others.map((one) => (
        <button key={one} type="button" class="link" lang={one} onClick={() => chooseLanguage(one)}>
          {languageNames[one]}
        </button>
      ))}
    </>
  );
}

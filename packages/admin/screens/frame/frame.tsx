import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { base } from "../../browser/base.ts";
import {
  hasRight,
  useIsHidden,
  useOrganizationRoles,
  useRoles,
} from "../../data/projects/rights.ts";
import { Missing } from "../../ui/missing.tsx";
import { ProjectName } from "./name.tsx";
import { path, toHref } from "../../browser/router.ts";
import { me, signOut } from "../../data/session.ts";
import { Icon, type IconName, Mark } from "../../ui/icons.tsx";
import { chooseLanguage, language, languages, words } from "../../words/words.ts";
import { en } from "../../words/en.ts";
import { fr } from "../../words/fr.ts";

const languageNames = { en: en.name, fr: fr.name };

interface FrameProps {
  projectId: string | undefined;
  organizationId: string | undefined;
  children: ComponentChildren;
}

/** The layout of every screen for signed-in users. */
export function Frame({ projectId, organizationId, children }: FrameProps) {
  const { app } = words.value;
  const menu = useRef<HTMLElement>(null);
  const id = useId();
  const here = path.value;
  // On a phone the navigation covers the screen: it is closed after each navigation.
  useEffect(() => menu.current?.hidePopover?.(), [here]);
  return (
    <div class="frame">
      <a class="skip" href="#content">
        {app.skip}
      </a>
      <header class="bar">
        <a class="brand" href={toHref("/projects")}>
          <Mark />
          <span>Avow</span>
        </a>
        <button type="button" class="button ghost menu-button" popovertarget={id}>
          <Icon name="menu" />
          <span class="hidden">{app.menu}</span>
        </button>
      </header>
      <nav ref={menu} id={id} class="side" aria-label={app.navigation} popover="auto">
        <a class="brand" href={toHref("/projects")}>
          <Mark />
          <span>Avow</span>
        </a>
        <ul>
          <Item to="/projects" icon="globe" text={app.projects} isExact />
          <Item to="/assets" icon="picture" text={app.files} />
          <Item to="/organizations" icon="building" text={app.organizations} isExact />
          {me.value?.operator && <Item to="/instance" icon="sliders" text={app.instance} />}
        </ul>
        {projectId !== undefined && <ProjectItems projectId={projectId} />}
        {organizationId !== undefined && <OrganizationItems id={organizationId} />}
        <Foot />
      </nav>
      <main id="content" tabIndex={-1}>
        {projectId === undefined ? (
          children
        ) : (
          <ProjectScreen key={projectId} projectId={projectId}>
            {children}
          </ProjectScreen>
        )}
      </main>
    </div>
  );
}

interface ProjectScreenProps {
  projectId: string;
  children: ComponentChildren;
}

/** A screen of a project. The screen loads its data while the user's access is being checked. */
function ProjectScreen({ projectId, children }: ProjectScreenProps) {
  return useIsHidden(projectId) ? <Missing texts={words.value.missingProject} /> : children;
}

function ProjectItems({ projectId }: { projectId: string }) {
  const { sections } = words.value.project;
  const roles = useRoles(projectId);
  const isHidden = useIsHidden(projectId);
  const at = `/projects/${projectId}`;
  if (isHidden) return null;
  return (
    <>
      <p class="side-title">
        <ProjectName id={projectId} />
      </p>
      <ul>
        <Item to={at} icon="home" text={sections.home} isExact />
        {hasRight(roles, "readConfigurations") && (
          <Item to={`${at}/cookies`} icon="banner" text={sections.cookies} />
        )}
        {hasRight(roles, "readConfigurations") && (
          <Item to={`${at}/boxes`} icon="box" text={sections.boxes} />
        )}
        {hasRight(roles, "readConfigurations") && (
          <Item to={`${at}/publish`} icon="send" text={sections.publish} />
        )}
        {hasRight(roles, "readConfigurations") && (
          <Item to={`${at}/scans`} icon="globe" text={sections.scans} />
        )}
        <Item to={`${at}/statistics`} icon="chart" text={sections.statistics} />
        <Item to={`${at}/consents`} icon="answers" text={sections.consents} />
        <Item to={`${at}/transfers`} icon="exchange" text={sections.transfers} />
        {hasRight(roles, "write") && (
          <Item to={`${at}/webhooks`} icon="hook" text={sections.webhooks} />
        )}
        {hasRight(roles, "readConfigurations") && (
          <Item to={`${at}/team`} icon="people" text={sections.team} />
        )}
        {hasRight(roles, "readConfigurations") && (
          <Item to={`${at}/settings`} icon="sliders" text={sections.settings} />
        )}
        {hasRight(roles, "readTrail") && (
          <Item to={`${at}/audit`} icon="book" text={sections.audit} />
        )}
        <Item to={`${at}/log`} icon="seal" text={sections.log} />
      </ul>
    </>
  );
}

function OrganizationItems({ id }: { id: string }) {
  const { sections } = words.value.organization;
  const roles = useOrganizationRoles(id);
  const at = `/organizations/${id}`;
  return (
    <>
      <p class="side-title">
        <ProjectName id={id} />
      </p>
      <ul>
        <Item to={at} icon="home" text={sections.home} isExact />
        {hasRight(roles, "readConfigurations") && (
          <Item to={`${at}/team`} icon="people" text={sections.team} />
        )}
        {hasRight(roles, "own") && <Item to={`${at}/plan`} icon="card" text={sections.plan} />}
      </ul>
    </>
  );
}

interface ItemProps {
  to: string;
  icon: IconName;
  text: string;
  isExact?: boolean;
}

function Item({ to, icon, text, isExact = false }: ItemProps) {
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

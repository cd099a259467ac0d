import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { titles } from "../../data/projects/project.ts";
import { rememberProject } from "../../data/projects/recent-projects.ts";
import { useIsHidden } from "../../data/projects/rights.ts";
import { Missing } from "../../ui/missing.tsx";
import { path, toHref } from "../../browser/router.ts";
import { Icon, Mark } from "../../ui/icons.tsx";
import { words } from "../../words/words.ts";
import { Bell, useUnread } from "./bell.tsx";
import { Crumbs } from "./crumbs.tsx";
import { followShortcut, openPalette, shortcut } from "./palette-state.ts";
import { Side } from "./side.tsx";

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
  useUnread();
  // On a phone the navigation covers the screen: it is closed after each navigation.
  useEffect(() => menu.current?.hidePopover?.(), [here]);
  useEffect(() => {
    addEventListener("keydown", followShortcut);
    return () => removeEventListener("keydown", followShortcut);
  }, []);
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
        <span class="actions">
          <Bell />
          <button type="button" class="button ghost menu-button" onClick={() => openPalette()}>
            <Icon name="search" />
            <span class="hidden">{app.search}</span>
          </button>
          <button type="button" class="button ghost menu-button" popovertarget={id}>
            <Icon name="menu" />
            <span class="hidden">{app.menu}</span>
          </button>
        </span>
      </header>
      <nav ref={menu} id={id} class="side" aria-label={app.navigation} popover="auto">
        <Side projectId={projectId} organizationId={organizationId} />
      </nav>
      <div class="body">
        <div class="top">
          <Crumbs />
          <button type="button" class="finder" onClick={() => openPalette()}>
            <Icon name="search" />
            <span>{app.search}</span>
            <kbd>{shortcut}</kbd>
          </button>
          <nav aria-label={app.notifications}>
            <Bell />
          </nav>
        </div>
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
    </div>
  );
}

interface ProjectScreenProps {
  projectId: string;
  children: ComponentChildren;
}

/** A screen of a project. The screen loads its data while the user's access is being checked. */
function ProjectScreen({ projectId, children }: ProjectScreenProps) {
  const title = titles.value[projectId];
  const isHidden = useIsHidden(projectId);
  useEffect(() => {
    if (title !== undefined && !isHidden) rememberProject([projectId, title]);
  }, [title, isHidden]);
  return isHidden ? <Missing texts={words.value.missingProject} /> : children;
}

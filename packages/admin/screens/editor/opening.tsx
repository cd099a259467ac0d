import type { ComponentChildren } from "preact";
import type { Project } from "@avow/client/operations";
import { type Draft, openDraft } from "../../data/documents/draft.ts";
import { me } from "../../data/session.ts";
import { type Inheritance, readInheritance } from "../../data/documents/inheritance.ts";
import { mayWrite, readRoles, toShownProject } from "../../data/projects/project.ts";
import type { LoadResult } from "../../data/use-load.ts";
import { Page } from "../../ui/page.tsx";
import { LoadView } from "../../ui/load-view.tsx";

/** A configuration in an editor, with its project. */
export interface EditedConfiguration {
  draft: Draft;
  project: Draft;
  mayWrite: boolean;
  inheritance: Inheritance | undefined;
}

/** Opens a configuration and its project. Also stores the title for the navigation. */
export async function openConfiguration(
  kind: "cookies" | "processings" | "contracts",
  { projectId, id }: { projectId: string; id: string },
): Promise<EditedConfiguration & { shown: ReturnType<typeof toShownProject> }> {
  const userId = me.peek()?.id ?? "";
  const [draft, project, roles] = await Promise.all([
    openDraft(kind, id, userId),
    openDraft("projects", projectId, userId),
    readRoles(projectId),
  ]);
  const shown = toShownProject(project.doc.peek() as Project);
  const inheritance = await readInheritance(project.doc.peek());
  return { draft, project, mayWrite: mayWrite(roles), inheritance, shown };
}

interface OpeningProps<T> {
  title: string;
  of: LoadResult<T>;
  children: (opened: T) => ComponentChildren;
}

/** Renders an editor once its data is loaded; until then, a page with the loading state. */
export function Opening<T>({ title, of, children }: OpeningProps<T>) {
  if (of.state === "ready") return <>{children(of.value)}</>;
  return (
    <Page title={title}>
      <LoadView of={of} lines={8}>
        {() => null}
      </LoadView>
    </Page>
  );
}

import {
  type ProjectState,
  readVisits,
  toProjectState,
} from "../../data/projects/project-state.ts";
import type { ShownProject } from "../../data/projects/project.ts";
import { useLoad } from "../../data/use-load.ts";
import { Badge } from "../../ui/parts.tsx";
import { words } from "../../words/words.ts";

const tones = { live: "good", unseen: "warn", unpublished: "plain" } as const;

/** The state of a project in words. */
export function StateBadge({ state }: { state: ProjectState }) {
  return <Badge tone={tones[state]}>{words.value.project.states[state]}</Badge>;
}

/** The state of a listed project, which reads its visits. */
export function ListedState({ project }: { project: ShownProject }) {
  const loaded = useLoad(
    async () =>
      project.isLive ? toProjectState(project, await readVisits(project.id)) : undefined,
    [project.id, project.isLive],
  );
  if (!project.isLive) return <StateBadge state="unpublished" />;
  if (loaded.state === "loading") return <span class="soft">…</span>;
  if (loaded.state === "failed") return <span class="soft">–</span>;
  return <StateBadge state={loaded.value ?? "unpublished"} />;
}

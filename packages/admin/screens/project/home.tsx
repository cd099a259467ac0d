import { diffPublications, listPublishJobs } from "@avow/client/operations";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import {
  countConfigurations,
  mayWrite,
  readProject,
  readRoles,
  toHost,
} from "../../data/projects/project.ts";
import { isEnded, readWaiting } from "../../data/projects/publishing.ts";
import { isSeen, readVisits, toProjectState } from "../../data/projects/project-state.ts";
import { useLoad } from "../../data/use-load.ts";
import { Page } from "../../ui/page.tsx";
import { Card } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { words } from "../../words/words.ts";
import { ScheduledCard } from "../publish/scheduled.tsx";
import { Steps, useJob } from "../publish/steps.tsx";
import { TemplateHome } from "../templates/home.tsx";
import { type Audited, AuditorHome, readAudited } from "./auditor-home.tsx";
import { ChangesCard } from "./changes.tsx";
import { Checklist } from "./checklist.tsx";
import type { Overview } from "../../data/projects/overview.ts";
import { DisplaysCard } from "./displays.tsx";
import { StateBadge } from "./state-badge.tsx";
import { SnippetCard } from "../install/snippet.tsx";

const JOBS = 10;

async function readOverview(projectId: string): Promise<Overview> {
  const query = { projectId, perPage: JOBS, environment: "production" } as const;
  // Jobs are read before the project: a job that is done has already changed the project.
  const jobs = await send(listPublishJobs, { query });
  const [project, roles, configurations, waiting, { shown, last }] = await Promise.all([
    readProject(projectId),
    readRoles(projectId),
    countConfigurations(projectId),
    readWaiting(projectId),
    readVisits(projectId),
  ]);
  const hasDiff = configurations > 0 || project.publishedAt !== undefined;
  const path = { projectId, from: "live", to: "next" };
  const diff = hasDiff ? await send(diffPublications, { path }) : undefined;
  return {
    project,
    configurations,
    diff,
    jobs,
    waiting,
    last,
    shown,
    mayWrite: mayWrite(roles),
  };
}

/** Reads the overview; for auditors, who cannot read configurations, their own. @throws Problem */
async function readHome(projectId: string): Promise<Overview | Audited> {
  try {
    return await readOverview(projectId);
  } catch (error) {
    const problem = asProblem(error);
    if (problem.kind !== "forbidden") throw problem;
    return readAudited(projectId);
  }
}

/** The overview of a project: checklist, snippet and changes. */
export default function ProjectHome({ projectId = "" }: { projectId?: string }) {
  const { sections } = words.value.project;
  const loaded = useLoad(() => readHome(projectId), [projectId]);
  if (loaded.state !== "ready")
    return (
      <Page title={sections.home}>
        <LoadView of={loaded} lines={8}>
          {() => null}
        </LoadView>
      </Page>
    );
  if ("name" in loaded.value) return <AuditorHome audited={loaded.value} />;
  const { project } = loaded.value;
  if (project.isTemplate)
    return <TemplateHome project={project} mayWrite={loaded.value.mayWrite} />;
  return (
    <Page
      title={project.title}
      lead={
        <a href={project.site} rel="noreferrer" target="_blank">
          {toHost(project.site)}
        </a>
      }
      actions={<StateBadge state={toProjectState(project, loaded.value)} />}
    >
      <Cards overview={loaded.value} onChange={loaded.reload} />
    </Page>
  );
}

function Cards({ overview, onChange }: { overview: Overview; onChange: () => void }) {
  const { publish } = words.value;
  // A failed job is shown until the next one.
  const { waiting } = overview;
  const newest = overview.jobs.find((job) => waiting.every(({ id }) => id !== job.id));
  const job = useJob(newest, onChange);
  const snippet = <SnippetCard project={overview.project} jobs={overview.jobs} />;
  // A snippet that works is not looked for any more.
  const isWorking = overview.project.isLive && isSeen(overview);
  return (
    <div class="cards">
      {job && job.status !== "Done" && (
        <Card title={isEnded(job) ? publish.failedTitle : publish.running}>
          <Steps job={job} />
        </Card>
      )}
      <ScheduledCard waiting={waiting} mayWrite={overview.mayWrite} onChange={onChange} />
      <Checklist overview={overview} />
      {!isWorking && snippet}
      <DisplaysCard overview={overview} onCheck={onChange} />
      <ChangesCard overview={overview} />
      {isWorking && snippet}
    </div>
  );
}

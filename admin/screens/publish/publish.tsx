import { useState } from "preact/hooks";
import {
  type PublicationDiff,
  type PublishCheck,
  type PublishJob,
  checkProject,
  diffPublications,
  listPublishJobs,
  publishProject,
} from "../../api/interface.ts";
import { send } from "../../api/send.ts";
import {
  type Role,
  type ShownProject,
  countConfigurations,
  mayWrite,
  readProject,
  readRoles,
} from "../../data/project.ts";
import { isEnded } from "../../data/publishing.ts";
import { useLoad } from "../../data/use-load.ts";
import { toHref } from "../../router.ts";
import { Form } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Card, Empty } from "../../ui/parts.tsx";
import { Shown } from "../../ui/shown.tsx";
import { words } from "../../words/words.ts";
import { ChangeList } from "../project/changes.tsx";
import { AsksAgainCard } from "./asks-again.tsx";
import { FindingsCard } from "./findings.tsx";
import { Steps, useJob } from "./steps.tsx";
import { VersionsCard } from "./versions.tsx";

const CHANGES_MAX = 50;

/** What publishing a project now would mean. */
interface Next {
  project: ShownProject;
  roles: readonly Role[];
  /** Undefined where there is nothing to publish. */
  next: { check: PublishCheck; diff: PublicationDiff } | undefined;
  job: PublishJob | undefined;
}

async function readNext(projectId: string): Promise<Next> {
  const query = { projectId, perPage: 1, environment: "production" } as const;
  const [job] = await send(listPublishJobs, { query });
  const [project, roles, count] = await Promise.all([
    readProject(projectId),
    readRoles(projectId),
    countConfigurations(projectId),
  ]);
  if (count === 0 && project.publishedAt === undefined)
    return { project, roles, next: undefined, job };
  const [check, diff] = await Promise.all([
    send(checkProject, { path: { projectId } }),
    send(diffPublications, { path: { projectId, from: "live", to: "next" } }),
  ]);
  return { project, roles, next: { check, diff }, job };
}

/** Publishing: what would change and for whom, the six steps, and what was published before. */
export default function Publish({ projectId = "" }: { projectId?: string }) {
  const { publish } = words.value;
  const loaded = useLoad(() => readNext(projectId), [projectId]);
  return (
    <Page title={publish.title} lead={publish.lead}>
      <Shown of={loaded} lines={8}>
        {(value, reload) => <Parts key={projectId} value={value} onChange={reload} />}
      </Shown>
    </Page>
  );
}

/** One that waits for its time is not at work. */
function isRunningNow(job: PublishJob | undefined): boolean {
  return job !== undefined && !isEnded(job) && job.publishAt === undefined;
}

function Parts({ value, onChange }: { value: Next; onChange: () => void }) {
  const { publish, project: said } = words.value;
  const { project, roles, next } = value;
  const [started, setStarted] = useState(isRunningNow(value.job) ? value.job : undefined);
  const job = useJob(started, onChange);
  const isRunning = job !== undefined && !isEnded(job);
  if (!next)
    return (
      <Empty icon="send" title={said.notLive} text={said.changes.nothingAsked}>
        {mayWrite(roles) && (
          <a class="button primary" href={toHref(`/projects/${project.id}/start`)}>
            {said.checklist.configure}
          </a>
        )}
      </Empty>
    );
  return (
    <div class="cards">
      {job && (
        <Card title={isRunning ? publish.running : publish.title}>
          <Steps job={job} />
        </Card>
      )}
      <Card title={publish.changes}>
        <ChangeList diff={next.diff} max={CHANGES_MAX} />
        {mayWrite(roles) && !isRunning && (
          <Start value={value} errors={next.check.errors} onStart={setStarted} />
        )}
      </Card>
      <AsksAgainCard asks={next.check.asksAgain} />
      <FindingsCard check={next.check} />
      <VersionsCard
        projectId={project.id}
        roles={roles}
        turn={project.publishedAt ?? ""}
        onStart={setStarted}
      />
    </div>
  );
}

interface StartProps {
  value: Next;
  errors: number;
  onStart: (job: PublishJob) => void;
}

/** The button that publishes; in spite of errors only owners may, and have to say so. */
function Start({ value: { project, roles }, errors, onStart }: StartProps) {
  const { publish } = words.value;
  const isForced = errors > 0;
  if (isForced && !roles.includes("owner")) return <p class="note bad">{publish.blocked}</p>;
  return (
    <Form
      submit={isForced ? publish.force : publish.button}
      isDanger={isForced}
      aside={isForced && <span class="hint">{publish.forceHint}</span>}
      onSubmit={async () => {
        const body = isForced ? { force: true } : {};
        onStart(await send(publishProject, { path: { id: project.id }, body }));
      }}
    />
  );
}

import { useState } from "preact/hooks";
import {
  type Publication,
  type PublishJob,
  type Review,
  checkProject,
  diffPublications,
  getReview,
  listPublications,
  listPublishJobs,
} from "@avow/client/operations";
import { send } from "../../api/send.ts";
import {
  type Role,
  type ShownProject,
  countConfigurations,
  mayWrite,
  readProject,
  readRoles,
} from "../../data/projects/project.ts";
import { isEnded, readWaiting } from "../../data/projects/publishing.ts";
import { useLoad } from "../../data/use-load.ts";
import { toHref } from "../../browser/router.ts";
import { Page } from "../../ui/page.tsx";
import { Card, Empty } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { words } from "../../words/words.ts";
import { reviewWords } from "../../words/reviews/words.ts";
import { ChangeList } from "../changes/change-list.tsx";
import { ReviewCard } from "../reviews/review-card.tsx";
import { ReconsentCard } from "./reconsent.tsx";
import { FindingsCard } from "./findings.tsx";
import { HeldBackCard } from "./held-back.tsx";
import { ScheduledCard } from "./scheduled.tsx";
import { StagingCard } from "./staging.tsx";
import { type NextContent, Start } from "./start.tsx";
import { Steps, useJob } from "./steps.tsx";
import { UnpublishCard } from "./unpublish.tsx";
import { VersionsCard } from "./versions.tsx";

const OPEN = 3;

/** The state of the next publication. */
interface Next {
  project: ShownProject;
  roles: readonly Role[];
  /** Undefined where there is nothing to publish. */
  next: NextContent | undefined;
  job: PublishJob | undefined;
  /** Scheduled publications. */
  waiting: readonly PublishJob[];
  /** The current version on staging. */
  staged: Publication | undefined;
  review: Review;
}

async function readNext(projectId: string): Promise<Next> {
  const query = { projectId, perPage: 1 } as const;
  const staging = { perPage: 1, environment: "staging" } as const;
  const [job] = await send(listPublishJobs, { query });
  const [project, roles, count, waiting, [staged], review] = await Promise.all([
    readProject(projectId),
    readRoles(projectId),
    countConfigurations(projectId),
    readWaiting(projectId),
    send(listPublications, { path: { projectId }, query: staging }),
    send(getReview, { path: { projectId } }),
  ]);
  const known = { project, roles, job, waiting, staged, review };
  if (count === 0 && project.publishedAt === undefined) return { ...known, next: undefined };
  const [check, diff] = await Promise.all([
    send(checkProject, { path: { projectId } }),
    send(diffPublications, { path: { projectId, from: "live", to: "next" } }),
  ]);
  return { ...known, next: { check, diff } };
}

/** The publish screen: changes, re-consent, findings, the running job and earlier versions. */
export default function Publish({ projectId = "" }: { projectId?: string }) {
  const { publish } = words.value;
  const loaded = useLoad(() => readNext(projectId), [projectId]);
  return (
    <Page title={publish.title} lead={publish.lead}>
      <LoadView of={loaded} lines={8}>
        {(value, reload) => <Parts key={projectId} value={value} onChange={reload} />}
      </LoadView>
    </Page>
  );
}

/** A scheduled job is not running. */
function isRunningNow({ job, waiting }: Next): boolean {
  return job !== undefined && !isEnded(job) && waiting.every(({ id }) => id !== job.id);
}

/** Whether approvals are required, or a review was asked for or has begun. */
function isReviewed({ settings, decisions, request }: Review): boolean {
  return settings.required > 0 || decisions.length > 0 || request !== null;
}

function Parts({ value, onChange }: { value: Next; onChange: () => void }) {
  const { publish, project: texts } = words.value;
  const { project, roles, next, waiting, staged, review } = value;
  const [started, setStarted] = useState(isRunningNow(value) ? value.job : undefined);
  const job = useJob(started, onChange);
  const isRunning = job !== undefined && !isEnded(job);
  if (!next)
    return (
      <Empty icon="send" title={texts.states.unpublished} text={texts.changes.nothingAsked}>
        {mayWrite(roles) && (
          <a class="button primary" href={toHref(`/projects/${project.id}/start`)}>
            {texts.checklist.configure}
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
      <FindingsCard projectId={project.id} check={next.check} />
      <HeldBackCard projectId={project.id} heldBack={next.check.heldBack} />
      <ReconsentCard asks={next.check.asksAgain} />
      {isReviewed(review) && <ReviewCard review={review} roles={roles} onChange={onChange} />}
      <Card
        title={publish.changes}
        action={
          <a href={toHref(`/projects/${project.id}/reviews`)}>{reviewWords.value.review.more}</a>
        }
      >
        <ChangeList diff={next.diff} open={OPEN} />
        {mayWrite(roles) && !isRunning && (
          <Start {...value} next={next} onStart={setStarted} onWait={onChange} />
        )}
      </Card>
      <ScheduledCard waiting={waiting} mayWrite={mayWrite(roles)} onChange={onChange} />
      <VersionsCard
        projectId={project.id}
        roles={roles}
        revision={project.publishedAt ?? ""}
        onStart={setStarted}
      />
      <StagingCard
        projectId={project.id}
        staged={staged}
        mayWrite={mayWrite(roles) && !isRunning}
        onStart={setStarted}
      />
      {mayWrite(roles) && project.isLive && <UnpublishCard project={project} onDone={onChange} />}
    </div>
  );
}

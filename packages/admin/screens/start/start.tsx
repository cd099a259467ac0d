import { useState } from "preact/hooks";
import {
  type PublishJob,
  type ScanWithResult,
  getScan,
  listPublishJobs,
  listScans,
} from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { type ShownProject, countBanners, readProject } from "../../data/projects/project.ts";
import { isEnded } from "../../data/projects/publishing.ts";
import { useLoad } from "../../data/use-load.ts";
import { toHref } from "../../browser/router.ts";
import { Page } from "../../ui/page.tsx";
import { Card, Empty } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { startWords } from "../../words/start/words.ts";
import { DeveloperCard } from "../install/developer.tsx";
import { SnippetCard } from "../install/snippet.tsx";
import { WatchCard } from "../install/watch.tsx";
import { Steps, useJob } from "../publish/steps.tsx";
import { isOpen } from "../scans/scans.tsx";
import { Offer } from "./offer.tsx";
import { Scanning } from "./scanning.tsx";

const JOBS = 10;
type Stage = "scan" | "offer" | "live";
const stages: readonly Stage[] = ["scan", "offer", "live"];

/** The stored state, from which an interrupted start resumes. */
interface StartState {
  project: ShownProject;
  banners: number;
  /** The newest scan with its result; undefined if there is none. */
  scan: ScanWithResult | undefined;
  jobs: readonly PublishJob[];
}

async function readState(projectId: string): Promise<StartState> {
  const query = { projectId, perPage: JOBS, environment: "production" } as const;
  // Jobs are read before the project: a job that is done has already changed the project.
  const jobs = await send(listPublishJobs, { query });
  const [project, banners, [newest]] = await Promise.all([
    readProject(projectId),
    countBanners(projectId),
    send(listScans, { path: { projectId }, query: { perPage: 1 } }),
  ]);
  const scan = newest && (await send(getScan, { path: { projectId, scanId: newest.id } }));
  return { project, banners, scan, jobs };
}

/** From the scan of a website to its first visitor. A project that has a banner gets no second one. */
export default function Start({ projectId = "" }: { projectId?: string }) {
  const texts = startWords.value;
  const loaded = useLoad(() => readState(projectId), [projectId]);
  const [isSkipped, setSkipped] = useState(false);
  const stage = loaded.state === "ready" ? toStage(loaded.value, isSkipped) : "offer";
  return (
    <Page title={texts.titles[stage]} lead={texts.leads[stage]}>
      <Progress stage={stage} />
      <LoadView of={loaded} lines={8}>
        {(state, reload) =>
          stage === "scan" && state.scan ? (
            <Scanning scan={state.scan} onEnd={reload} onSkip={() => setSkipped(true)} />
          ) : (
            <Publishing
              key={state.scan?.id ?? "unscanned"}
              state={state}
              onChange={() => {
                setSkipped(false);
                reload();
              }}
            />
          )
        }
      </LoadView>
    </Page>
  );
}

function toStage({ project, banners, scan }: StartState, isSkipped: boolean): Stage {
  if (project.isLive) return "live";
  return banners === 0 && scan && isOpen(scan) && !isSkipped ? "scan" : "offer";
}

/** The three steps, with the present one. */
function Progress({ stage }: { stage: Stage }) {
  const texts = startWords.value;
  const at = stages.indexOf(stage);
  return (
    <ol class="start-steps" aria-label={texts.stepsLabel}>
      {texts.steps.map((name, index) => (
        <li
          key={name}
          class={index < at ? "done" : undefined}
          aria-current={index === at ? "step" : undefined}
        >
          {name}
        </li>
      ))}
    </ol>
  );
}

function Publishing({ state, onChange }: { state: StartState; onChange: () => void }) {
  const texts = startWords.value;
  const { project, banners, scan, jobs } = state;
  const [newest] = jobs;
  const [started, setStarted] = useState(newest && !isEnded(newest) ? newest : undefined);
  const job = useJob(started, ({ status }) => {
    if (status === "Done") onChange();
  });
  if (project.isLive)
    return (
      <div class="cards">
        <SnippetCard project={project} jobs={jobs} />
        <WatchCard project={project} />
        <DeveloperCard projectId={project.id} />
        <p>
          <a class="button" href={toHref(`/projects/${project.id}`)}>
            {texts.overview}
          </a>
        </p>
      </div>
    );
  if (job && job.status !== "Error")
    return (
      <Card title={texts.publishing}>
        <Steps job={job} />
      </Card>
    );
  return (
    <>
      {job && (
        <Card title={texts.publishFailed}>
          <Steps job={job} />
        </Card>
      )}
      {banners === 0 ? (
        <Offer project={project} scan={scan} onPublish={setStarted} onScan={onChange} />
      ) : (
        <Empty icon="banner" title={texts.there} text={texts.thereText}>
          <a class="button primary" href={toHref(`/projects/${project.id}/publish`)}>
            {texts.goPublish}
          </a>
          <a class="button" href={toHref(`/projects/${project.id}/cookies`)}>
            {texts.goChange}
          </a>
        </Empty>
      )}
    </>
  );
}

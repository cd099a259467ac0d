import { useEffect, useState } from "preact/hooks";
import type { PublishJob } from "@avow/client/operations";
import { isEnded, watchJob } from "../../data/projects/publishing.ts";
import { publishingWords } from "../../words/publishing/words.ts";
import { words } from "../../words/words.ts";
import { Results } from "./held-back.tsx";

/** The current state of a publish job; `onEnd` is called once when it ends. */
export function useJob(
  started: PublishJob | undefined,
  onEnd: (job: PublishJob) => void,
): PublishJob | undefined {
  const [job, setJob] = useState(started);
  useEffect(() => {
    setJob(started);
    if (!started || isEnded(started)) return undefined;
    return watchJob(started, (next) => {
      setJob(next);
      if (isEnded(next)) onEnd(next);
    });
  }, [started?.id]);
  return job;
}

/** The steps of a publish job and their states. */
export function Steps({ job }: { job: PublishJob }) {
  const { publish } = words.value;
  return (
    <div class="job" aria-live="polite">
      <ol class="steps">
        {job.steps.map(({ name, status, message }) => (
          <li key={name} class={`step ${status.toLowerCase()}`}>
            <span class="step-mark" aria-hidden="true" />
            <div>
              {publish.steps[name]}
              <span class="hidden">: {publish.states[status]}</span>
              {message && <p class="soft">{message}</p>}
            </div>
          </li>
        ))}
      </ol>
      <Outcome job={job} />
    </div>
  );
}

function Outcome({ job }: { job: PublishJob }) {
  const { publish } = words.value;
  if (job.status === "Done")
    return (
      <>
        <p class="note good">
          {job.environment === "staging"
            ? publishingWords.value.staging.done(job.version ?? 0)
            : publish.done(job.version ?? 0)}{" "}
          {job.sameVersion && publish.unchanged}
        </p>
        <Results job={job} />
      </>
    );
  if (job.status !== "Error") return null;
  return (
    <div class="note bad" role="alert">
      <p>{job.message}</p>
      <p>{publish.failed}</p>
      <Results job={job} />
    </div>
  );
}

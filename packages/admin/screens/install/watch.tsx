import { useEffect, useState } from "preact/hooks";
import { listConsents } from "@avow/client/operations";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { toInstant } from "../../browser/format.ts";
import { toHref } from "../../browser/router.ts";
import { type ShownProject, toHost } from "../../data/projects/project.ts";
import { readAnswers } from "../../data/projects/statistics.ts";
import { FaultNote } from "../../ui/forms/faults.tsx";
import { Card } from "../../ui/parts.tsx";
import { startWords } from "../../words/start/words.ts";
import type { Problem } from "@avow/client/problem";

const POLL_MS = 3_000;
const LATE_MS = 60_000;

/** The first sign of a visitor. Displays are counted by day, without their pages; an answer has both. */
interface Hit {
  at: string;
  /** The host of the page with the first answer. */
  host: string | undefined;
}

async function findHit(projectId: string): Promise<Hit | undefined> {
  const [{ shown }, [last]] = await Promise.all([
    readAnswers(projectId),
    send(listConsents, { path: { projectId }, query: { perPage: 1 } }),
  ]);
  if (last) return { at: last.createdAt, host: last.url && URL.parse(last.url)?.host };
  return shown > 0 ? { at: new Date().toISOString(), host: undefined } : undefined;
}

/** Watches for the first visitor, and turns green. After a minute without one, lists what to check. */
export function WatchCard({ project }: { project: ShownProject }) {
  const { watch } = startWords.value;
  const [hit, setHit] = useState<Hit>();
  const [isLate, setLate] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const isAnswered = hit?.host !== undefined;
  useEffect(() => {
    if (isAnswered) return undefined;
    let isWanted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      try {
        const found = await findHit(project.id);
        if (!isWanted) return;
        setProblem(undefined);
        // An earlier display keeps its time until there is an answer.
        setHit((now) => (found?.host === undefined ? (now ?? found) : found));
      } catch (error) {
        if (isWanted) setProblem(asProblem(error));
      }
      if (isWanted) timer = setTimeout(() => void look(), POLL_MS);
    };
    void look();
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [project.id, isAnswered]);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, [project.id]);
  const open = (
    <a class="button small" href={project.site} rel="noreferrer" target="_blank">
      {watch.open}
    </a>
  );
  return (
    <div class={hit ? "watch live" : "watch"}>
      <Card title={hit ? watch.live : watch.title} action={open}>
        <div aria-live="polite">
          {hit ? (
            <p class="note good">
              {hit.host === undefined
                ? watch.shown(toInstant(hit.at))
                : watch.answered(hit.host, toInstant(hit.at))}
            </p>
          ) : (
            <p class="waiting">
              <span class="spinner" aria-hidden="true" /> {watch.waiting}
            </p>
          )}
        </div>
        {hit && (
          <p>
            {watch.verify} <a href={toHref(`/projects/${project.id}/scans`)}>{watch.scan}</a>
          </p>
        )}
        {problem && <FaultNote problem={problem} />}
        {!hit && isLate && (
          <>
            <p>
              {watch.late} ({toHost(project.site)}):
            </p>
            <ul class="bullets">
              {watch.checks.map((one) => (
                <li key={one}>{one}</li>
              ))}
            </ul>
          </>
        )}
      </Card>
    </div>
  );
}

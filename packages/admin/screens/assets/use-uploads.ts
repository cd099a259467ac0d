import { useEffect, useRef, useState } from "preact/hooks";
import type { UploadedAsset } from "@avow/client/operations";
import { type Problem } from "@avow/client/problem";
import { asProblem } from "../../api/problem.ts";
import { FILE_BYTES_MAX, uploadFile } from "../../data/assets.ts";
import { assetWords } from "../../words/assets/words.ts";
import { language } from "../../words/words.ts";
import { toFaultText } from "../../ui/forms/faults.tsx";

/** Concurrent uploads; the service accepts eight per user. */
const AT_ONCE = 2;
/** Maximum number of pending uploads; further files are rejected. */
const QUEUED_MAX = 50;

export interface Upload {
  id: number;
  name: string;
  state: "waiting" | "sending" | "done" | "refused";
  /** The share that is sent, 0 to 1. */
  share: number;
  /** Set once the upload is done. */
  asset?: UploadedAsset;
  /** The reason of a rejection, in words. */
  refusal?: string;
}

interface Job extends Upload {
  file: File;
  stop: AbortController;
}

/** Independent uploads: a rejected file does not stop the others. */
export interface Uploads {
  all: readonly Upload[];
  add: (files: Iterable<File>) => void;
  stop: (id: number) => void;
  /** Removes finished and rejected uploads from the list. */
  clear: () => void;
}

/** Uploads files, two at a time. `onDone` is called for each uploaded file. Leaving the screen aborts the others. */
export function useUploads(onDone: (asset: UploadedAsset) => void): Uploads {
  const jobs = useRef<Job[]>([]);
  const onDoneRef = useRef(onDone);
  onDoneRef.current = onDone;
  const [all, setAll] = useState<readonly Upload[]>([]);
  const publish = (): void => setAll(jobs.current.map((job) => ({ ...job })));
  const change = (job: Job, next: Partial<Upload>): void => {
    Object.assign(job, next);
    publish();
  };
  const run = async (job: Job): Promise<void> => {
    change(job, { state: "sending" });
    try {
      const onSent = (share: number): void => change(job, { share });
      const asset = await uploadFile(job.file, { signal: job.stop.signal, onSent });
      change(job, { state: "done", asset });
      onDoneRef.current(asset);
    } catch (error) {
      if (job.stop.signal.aborted) return;
      change(job, { state: "refused", refusal: toRefusal(asProblem(error)) });
    }
    next();
  };
  const next = (): void => {
    const running = jobs.current.filter(({ state }) => state === "sending").length;
    const waiting = jobs.current.filter(({ state }) => state === "waiting");
    for (const job of waiting.slice(0, AT_ONCE - running)) void run(job);
  };
  useEffect(() => () => jobs.current.forEach(({ stop }) => stop.abort()), []);
  return {
    all,
    add(files) {
      const open = jobs.current.filter(isOpen).length;
      const made = [...files].map((file, at) => toJob(file, open + at >= QUEUED_MAX));
      jobs.current = [...jobs.current, ...made];
      publish();
      next();
    },
    stop(id) {
      jobs.current.find((job) => job.id === id)?.stop.abort();
      jobs.current = jobs.current.filter((job) => job.id !== id);
      publish();
      next();
    },
    clear() {
      jobs.current = jobs.current.filter(isOpen);
      publish();
    },
  };
}

/** Whether an upload is pending or running. */
export function isOpen({ state }: Pick<Upload, "state">): boolean {
  return state === "waiting" || state === "sending";
}

const counter = { last: 0 };

function toJob(file: File, isOver: boolean): Job {
  const { refused, tooMany } = assetWords.value;
  counter.last += 1;
  const made = { id: counter.last, name: file.name, share: 0, file, stop: new AbortController() };
  const refusal = isOver
    ? tooMany(QUEUED_MAX)
    : file.size > FILE_BYTES_MAX
      ? refused.size
      : file.size === 0
        ? refused.empty
        : undefined;
  return refusal === undefined
    ? { ...made, state: "waiting" }
    : { ...made, state: "refused", refusal };
}

function toRefusal(problem: Problem): string {
  const { refused } = assetWords.value;
  if (problem.kind === "too-large") return refused.size;
  if (problem.kind === "unsupported-type") return refused.type;
  // The service states the exact reason in English.
  const hasReason = language.value === "en" && problem.detail !== "";
  if (problem.kind === "impossible" && !hasReason) return refused.impossible;
  return toFaultText(problem);
}

import { useEffect, useRef, useState } from "preact/hooks";
import { type Preview, previewProject } from "@avow/client/operations";
import { type Problem } from "@avow/client/problem";
import { asProblem } from "../../../api/problem.ts";
import { send } from "../../../api/send.ts";
import { type Doc, toOwn } from "../../../data/documents/documents.ts";

const AFTER_MS = 350;

/** The publication with the drafts. `problem` is the reason why it is outdated or missing. */
export interface Previewed {
  preview: Preview | undefined;
  problem: Problem | undefined;
}

/** Loads the preview of these drafts shortly after their last change. */
export function usePreview(projectId: string, drafts: readonly Doc[]): Previewed {
  const [shown, setShown] = useState<Previewed>({ preview: undefined, problem: undefined });
  const isFirst = useRef(true);
  useEffect(() => {
    let isWanted = true;
    const ask = async (): Promise<void> => {
      const documents = drafts.map((doc) => ({ id: doc.id, body: toOwn(doc) }));
      try {
        const preview = await send(previewProject, { path: { projectId }, body: { documents } });
        if (isWanted) setShown({ preview, problem: undefined });
      } catch (error) {
        const problem = asProblem(error);
        if (isWanted) setShown(({ preview }) => ({ preview, problem }));
      }
    };
    const timer = setTimeout(() => void ask(), isFirst.current ? 0 : AFTER_MS);
    isFirst.current = false;
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [projectId, ...drafts]);
  return shown;
}

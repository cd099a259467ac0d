import { useEffect, useState } from "preact/hooks";
import { asProblem } from "../../api/problem.ts";
import type { Draft } from "./draft.ts";
import { type Inheritance, readInheritance } from "./inheritance.ts";

/**
 * The inheritance of a project's documents, read again whenever a draft of a site is saved: a saved change makes a field
 * the site's own.
 */
export function useInheritance(
  read: Inheritance | undefined,
  { draft, project }: { draft: Draft; project: Draft },
): Inheritance | undefined {
  const [present, setPresent] = useState(read);
  useEffect(() => {
    setPresent(read);
    if (read?.kind !== "site") return undefined;
    let reads = 0;
    const readAgain = async (): Promise<void> => {
      reads += 1;
      const own = reads;
      try {
        const next = await readInheritance(project.doc.peek());
        if (own === reads) setPresent(next);
      } catch (error) {
        // The last known marks stay until the next save; defects are logged.
        asProblem(error);
      }
    };
    const stops = [draft, project].map(({ state }) => {
      let before = state.peek();
      return state.subscribe((now) => {
        if (now === "saved" && before !== "saved") void readAgain();
        before = now;
      });
    });
    return () => {
      reads = -1;
      for (const stop of stops) stop();
    };
  }, [read, draft, project]);
  return present;
}

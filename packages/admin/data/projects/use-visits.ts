import { useEffect, useState } from "preact/hooks";
import { type Visits, readVisits } from "./project-state.ts";

/** The visits of listed projects by id. Undefined: still loading; null: not readable. */
export type VisitsOf = ReadonlyMap<string, Visits | null>;

/** Reads the visits of each project once, for all columns of a list. They appear as they arrive. */
export function useVisits(ids: readonly string[]): VisitsOf {
  const [known, setKnown] = useState<VisitsOf>(new Map());
  useEffect(() => {
    let isWanted = true;
    const keep = (id: string, visits: Visits | null): void => {
      if (isWanted) setKnown((now) => new Map([...now, [id, visits]]));
    };
    setKnown(new Map());
    for (const id of ids)
      readVisits(id).then(
        (visits) => keep(id, visits),
        () => keep(id, null),
      );
    return () => {
      isWanted = false;
    };
  }, [ids.join(" ")]);
  return known;
}

import { getStatistics } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { getOwnZone } from "../../browser/time-zones.ts";

/** The answers of a project's visitors. */
export interface Answers {
  /** Displays of the last 30 days. */
  shown: number;
  /** Answers of the last 30 days. */
  answered: number;
  /** The share of answers that accept all, 0 to 1; undefined without answers. */
  rate: number | undefined;
  /** The rate of the last day with answers. */
  lastRate: number | undefined;
  /** The rate of each day. */
  days: readonly (number | undefined)[];
}

/** The answers of a project in the last 30 days of the browser's time zone. @throws Problem */
export async function readAnswers(projectId: string): Promise<Answers> {
  const query = { by: "day", tz: getOwnZone() } as const;
  const { totals, series, starts } = await send(getStatistics, { path: { projectId }, query });
  const [all] = series;
  const days = starts.map((_, at) =>
    toRate({
      accepted: all?.accepted[at] ?? 0,
      partly: all?.partly[at] ?? 0,
      refused: all?.refused[at] ?? 0,
    }),
  );
  const { accepted, partly, refused, shown } = totals;
  return {
    shown,
    answered: accepted + partly + refused,
    rate: toRate(totals),
    lastRate: days.findLast((day) => day !== undefined),
    days,
  };
}

function toRate({ accepted, partly, refused }: Record<"accepted" | "partly" | "refused", number>) {
  const answers = accepted + partly + refused;
  return answers === 0 ? undefined : accepted / answers;
}

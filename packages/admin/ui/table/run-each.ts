import type { Problem } from "@avow/client/problem";
import { asProblem } from "../../api/problem.ts";
import { tableWords } from "../../words/table/words.ts";
import { toFaultText } from "../forms/faults.tsx";
import { notify } from "../toast.tsx";

/** The outcome of an action on each of several rows. */
export interface EachResult<Row> {
  done: readonly Row[];
  failed: readonly { row: Row; problem: Problem }[];
}

/** Acts on one row after the other. A row that fails does not stop the others. */
export async function runEach<Row>(
  rows: readonly Row[],
  act: (row: Row) => Promise<unknown>,
): Promise<EachResult<Row>> {
  const done: Row[] = [];
  const failed: { row: Row; problem: Problem }[] = [];
  for (const row of rows)
    try {
      await act(row);
      done.push(row);
    } catch (error) {
      failed.push({ row, problem: asProblem(error) });
    }
  return { done, failed };
}

/** Shows `text` if no row failed, else the numbers of both and the first reason. `undo` is offered if a row is done. */
export function notifyEach<Row>(
  { done, failed: [first, ...others] }: EachResult<Row>,
  text: string,
  undo?: () => Promise<void>,
): void {
  const shown = first
    ? tableWords.peek().partly(done.length, others.length + 1, toFaultText(first.problem))
    : text;
  notify(shown, done.length > 0 ? undo : undefined);
}

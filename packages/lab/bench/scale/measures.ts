import { hrefOf, paths } from "@avow/contract/urls";
import { type Measure, type Scenario, measure } from "../measure/load.ts";
import { NAME, type RequestParts, countNames, newRun, repeat } from "../measure/requests.ts";
import type { Answer } from "./answers.ts";
import { toBody } from "./projects.ts";
import { PAGE, type Target, toConsentsUrl } from "./targets.ts";

const WARMUP_SECONDS = 2;
/** Answers of new visitors, in rotation. */
const collected: readonly Answer[] = ["all", "none", "half", "three"];

/** One row of the table. */
export interface Row {
  what: string;
  project: string;
  /** Items of a page. */
  items: number | undefined;
  measure: Measure;
}

/**
 * Runs all measurements of the targets. Collecting is last, because it adds records.
 * `base` is the URL of the service, `token` an access token for reading.
 */
export async function measureAll(
  targets: readonly Target[],
  given: { base: string; token: string; seconds: number; connections: number },
): Promise<Row[]> {
  const rows: Row[] = [];
  const run = async (target: Target, what: string, scenario: Scenario): Promise<void> => {
    process.stderr.write(`  measuring ${scenario.title} …\n`);
    const measured = await measure(scenario, given.seconds, WARMUP_SECONDS);
    const items = target.lists.find(({ title }) => title === what)?.items;
    rows.push({ what, project: target.title, items, measure: measured });
  };
  for (const target of targets)
    for (const [what, scenario] of Object.entries(toReads(target, given)))
      await run(target, what, scenario);
  for (const target of targets) await run(target, "collect", toCollect(target, given));
  const order = [...new Set(rows.map(({ what }) => what))];
  const places = ["collect", ...order.filter((what) => what !== "collect")];
  return rows.toSorted((a, b) => places.indexOf(a.what) - places.indexOf(b.what));
}

function toReads(
  target: Target,
  { base, token, connections }: { base: string; token: string; connections: number },
): Record<string, Scenario> {
  const { title, project, tokens, heavies, lists } = target;
  const headers = { authorization: `Bearer ${token}` };
  const toScenario = (what: string, url: string, nextName: () => string): Scenario => {
    const parts: RequestParts = { method: "GET", url, headers };
    const next = repeat([parts], nextName);
    return { title: `${title}: ${what}`, url: base, next, status: 200, connections };
  };
  const toConsents = (limit: number) =>
    toConsentsUrl(base, { projectId: project.id, token: NAME, limit });
  const own = [
    ["state of a token", toConsents(1), pickFrom(tokens)],
    ["history page", toConsents(PAGE), pickFrom(heavies)],
    ...lists.map((list) => [list.title, list.url, () => ""] as const),
  ] as const;
  return Object.fromEntries(
    own.map(([what, url, nextName]) => [what, toScenario(what, url, nextName)]),
  );
}

function pickFrom(all: readonly string[]): () => string {
  return () => all[Math.floor(Math.random() * all.length)] ?? "";
}

function toCollect(
  { title, project, form }: Target,
  { base, connections }: { base: string; connections: number },
): Scenario {
  const { collection, identifier } = form;
  const url = hrefOf(base, paths.collect, { projectId: project.id, collection, identifier });
  const headers = { "idempotency-key": NAME };
  const parts = collected.map((answer) => {
    const json = toBody(form, answer);
    return { method: "POST", url, headers, json } as const;
  });
  const next = repeat(parts, countNames(newRun()));
  return { title: `${title}: collect`, url: base, next, status: 201, connections };
}

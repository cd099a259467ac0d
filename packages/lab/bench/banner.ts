// npm run bench:banner: time until a cookie banner is visible, this widget's and its peers'.
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { toTable } from "../instance/table.ts";
import { readNumbers } from "./measure/arguments.ts";
import { openAvowParty } from "./banner/avow.ts";
import { type Load, load, openChromium } from "./banner/browser.ts";
import type { Party } from "./banner/party.ts";
import { openPeers } from "./banner/peers.ts";
import { type Server, openServer } from "./banner/server.ts";
import { readFacts, right, spreadOf } from "./measure/report.ts";
import { type Bench, runBench } from "./measure/run.ts";

const help = `Usage: npm run bench:banner -- [--rounds R] [--slowdown S]

Loads the same shop's page in Chromium with this service's widget, and with
vanilla-cookieconsent, klaro and tarteaucitronjs from npm, each set up as its documentation
says, in alternation, with an empty cache and a throttled processor. Reports when the banner is
first visible, the layout shift and the longest task, then the violations of the policy
script-src 'self'; style-src 'self'.

  --rounds R     loads of each banner (default: 9)
  --slowdown S   slowdown factor of the processor (default: 4)
  -h, --help     print this text
`;
const options = {
  rounds: { default: 9, min: 1, max: 1_000 },
  slowdown: { default: 4, min: 1, max: 100 },
};

const parsed = readNumbers({ args: process.argv.slice(2), command: "bench:banner", help, options });
process.exitCode =
  "status" in parsed ? parsed.status : await runBench((bench) => main(bench, parsed));

/** Loads of one banner. */
interface Result {
  party: Party;
  loads: Load[];
  /** Loads with the strict policy. */
  strict: Load;
}

async function main(bench: Bench, { rounds, slowdown }: Record<keyof typeof options, number>) {
  const facts = await readFacts();
  process.stderr.write("  installing the peers from npm …\n");
  const peers = await openPeers(join(bench.folder, "peers"));
  const parties = [await openAvowParty(bench), ...peers];
  const server = bench.opened.use(await openServer(parties));
  const browser = await openChromium();
  bench.opened.defer(() => browser.close());
  const results = await measureAll(parties, { browser, server, rounds, slowdown });
  const notes = [
    facts,
    `Chromium ${browser.version()}, processor slowed down ${slowdown} times; ${rounds} rounds in alternation, with an empty cache for each load; median, minimum and maximum.`,
    "Visible: from the start of the navigation to the frame with the banner’s text, larger than 100 by 50 pixels and at least half opaque.",
    "All banners are on the same page, served from this machine without network latency; avow from a separate service on another origin.",
    ...results.flatMap(toViolations),
  ];
  console.log(`\n${toResultTable(results)}\n\n  ${notes.join("\n  ")}\n`);
  return 0;
}

async function measureAll(
  parties: readonly Party[],
  given: { browser: Browser; server: Server; rounds: number; slowdown: number },
): Promise<Result[]> {
  const { browser, server, rounds, slowdown } = given;
  const results: Result[] = [];
  for (const party of parties) {
    // The first load of each is a warm-up of its server.
    await load(browser, server.toUrl(party));
    const strict = await load(browser, server.toUrl(party, true), { mayBeMissing: true });
    results.push({ party, loads: [], strict });
  }
  for (let round = 1; round <= rounds; round++) {
    process.stderr.write(`  round ${round} of ${rounds} …\n`);
    // The order changes in each round, so that no banner always follows the same one.
    const turned = round % 2 === 0 ? results.toReversed() : results;
    for (const { party, loads } of turned)
      loads.push(await load(browser, server.toUrl(party), { slowdown }));
  }
  return results;
}

function toMedian(result: Result | undefined): number {
  return spreadOf((result?.loads ?? []).map(({ shownMs }) => shownMs)).median;
}

function toResultTable(results: readonly Result[]): string {
  const own = toMedian(results[0]);
  const titles = [
    "Visible, ms",
    "Least",
    "Greatest",
    "Times ours",
    "Layout shift",
    "Longest task, ms",
    "Violations",
  ];
  return toTable(
    [{ title: "Banner" }, ...titles.map(right)],
    results.map(({ party, loads, strict }) => {
      const shown = spreadOf(loads.map(({ shownMs }) => shownMs));
      const shift = Math.max(...loads.map((one) => one.shift));
      const longest = spreadOf(loads.map(({ longestMs }) => longestMs)).median;
      return [
        `${party.name} ${party.version}`,
        ...[shown.median, shown.min, shown.max].map((ms) => String(Math.round(ms))),
        (shown.median / own).toFixed(1),
        shift.toFixed(4),
        longest === 0 ? "under 50" : String(Math.round(longest)),
        String(strict.violations.length) + (strict.shownMs > 0 ? "" : ", not shown"),
      ];
    }),
  );
}

function toViolations({ party, strict: { violations } }: Result): string[] {
  return violations.length === 0
    ? []
    : [`${party.name} is kept from: ${[...new Set(violations)].join("; ")}.`];
}

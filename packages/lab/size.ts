// npm run size: transfer size of cookie banners, this widget's and its peers'.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { countBlockerBytes, openAvowParty } from "./bench/banner/avow.ts";
import { type Load, load, openChromium } from "./bench/banner/browser.ts";
import type { Party } from "./bench/banner/party.ts";
import { openPeers } from "./bench/banner/peers.ts";
import { countPageBytes, openServer } from "./bench/banner/server.ts";
import { right } from "./bench/measure/report.ts";
import { type Bench, runBench } from "./bench/measure/run.ts";
import { toReasonOf } from "./instance/requests.ts";
import { toTable } from "./instance/table.ts";

const HOST = "127.0.0.1";
const BYTES_MAX = 10_000;
const REQUESTS_MAX = 2;
/** Limit of the separate script that blocks automatically, compressed, with its host list. */
const BLOCKER_BYTES_MAX = 3_000;
const help = `Usage: npm run size

Loads a shop's page with a cookie banner in Chromium, set up as the documentation of each says: this
service's widget from a temporary service, and vanilla-cookieconsent, klaro and tarteaucitronjs from
npm. All have the same texts, two categories and four vendors, and are compressed with gzip. Prints
the loaded bytes and requests, and the bytes of the separate script that blocks automatically, with
the hosts of eight vendors. Exits with status 1 if this widget takes more than ${BYTES_MAX.toLocaleString("en")} bytes or
${REQUESTS_MAX} requests, or that script more than ${BLOCKER_BYTES_MAX.toLocaleString("en")} bytes.

  -h, --help   print this text
`;

process.exitCode = readOptions(process.argv.slice(2)) ?? (await runBench(main));

/** The exit status if there is nothing to run. */
function readOptions(args: string[]): number | undefined {
  try {
    const { values } = parseArgs({ args, options: { help: { type: "boolean", short: "h" } } });
    if (!values.help) return undefined;
    process.stdout.write(help);
    return 0;
  } catch (error) {
    console.error(`${toReasonOf(error)}\nSee: npm run size -- --help`);
    return 2;
  }
}

async function main(bench: Bench): Promise<number> {
  process.stderr.write("  installing the peers from npm …\n");
  const peers = await openPeers(join(bench.folder, "peers"));
  const avow = await openAvowParty(bench);
  const parties = [avow, ...peers];
  const server = bench.opened.use(await openServer(parties));
  const browser = await openChromium();
  bench.opened.defer(() => browser.close());
  const sizes: Size[] = [];
  for (const party of parties)
    sizes.push(measureSize(party, await load(browser, server.toUrl(party))));
  console.log(`\n${toSizeTable(sizes)}\n\n  ${toNotes(sizes)}\n`);
  const own = sizes[0]?.whole;
  const blockerBytes = await countBlockerBytes(avow);
  console.log(`  The script that blocks automatically: ${toCount(blockerBytes)} bytes.\n`);
  const faults = [
    ...(own && own.bytes <= BYTES_MAX && own.requests <= REQUESTS_MAX
      ? []
      : [
          `The widget takes ${own?.requests} requests and ${own?.bytes} bytes. The limits are ${REQUESTS_MAX} and ${BYTES_MAX}.`,
        ]),
    ...(blockerBytes <= BLOCKER_BYTES_MAX
      ? []
      : [
          `The script that blocks automatically takes ${blockerBytes} bytes. The limit is ${BLOCKER_BYTES_MAX}.`,
        ]),
  ];
  for (const fault of faults) console.error(fault);
  return faults.length > 0 ? 1 : 0;
}

interface Sum {
  requests: number;
  /** Bytes of the bodies, as transferred. */
  bytes: number;
  /** The same with the headers of the responses. */
  transferred: number;
}

interface Size {
  party: Party;
  /** Transfers until the banner was visible. */
  visible: Sum;
  /** All transfers until the network is idle. */
  whole: Sum;
  /** Requests with a body: a display ticket is requested. */
  sent: Sum;
  pageBytes: number;
  /** Requests to other hosts before an answer; all fail. */
  elsewhere: string[];
}

function measureSize(party: Party, { exchanges, shownMs }: Load): Size {
  const [page] = exchanges;
  const until = (page?.sentMs ?? 0) + shownMs;
  const parts = exchanges.filter((exchange) => !exchange.isPage && isHere(exchange));
  const loaded = parts.filter(({ method }) => method === "GET");
  return {
    party,
    visible: sumUp(loaded.filter(({ endedMs = Infinity }) => endedMs <= until)),
    whole: sumUp(loaded),
    sent: sumUp(parts.filter(({ method }) => method !== "GET")),
    pageBytes: countPageBytes(party),
    elsewhere: exchanges.filter((exchange) => !isHere(exchange)).map(({ url }) => url),
  };
}

function isHere({ url }: { url: string }): boolean {
  return new URL(url).hostname === HOST;
}

function sumUp(exchanges: Load["exchanges"]): Sum {
  const total = (key: "bodyBytes" | "bytes"): number =>
    exchanges.reduce((sum, exchange) => sum + exchange[key], 0);
  return { requests: exchanges.length, bytes: total("bodyBytes"), transferred: total("bytes") };
}

function toSizeTable(sizes: readonly Size[]): string {
  const titles = [
    "Requests",
    "Bytes",
    "Until visible",
    "In the page",
    "With headers",
    "Times ours",
  ];
  const own = sizes[0]?.whole.bytes ?? Number.NaN;
  return toTable(
    [{ title: "Banner" }, ...titles.map(right)],
    sizes.map(({ party, visible, whole, pageBytes }) => [
      `${party.name} ${party.version}`,
      toCount(whole.requests),
      toCount(whole.bytes),
      `${toCount(visible.bytes)} in ${visible.requests}`,
      toCount(pageBytes),
      toCount(whole.transferred),
      (whole.bytes / own).toFixed(1),
    ]),
  );
}

function toCount(value: number): string {
  return value.toLocaleString("en");
}

function toNotes(sizes: readonly Size[]): string {
  const notes = sizes.flatMap(({ party: { name }, sent, elsewhere }) => [
    ...(sent.requests > 0
      ? [
          `Not counted: requests of ${name} after it is visible: ${sent.requests}, with ${sent.transferred} bytes of responses and headers (a display ticket).`,
        ]
      : []),
    ...(elsewhere.length > 0
      ? [`Not counted: before any answer ${name} requests ${elsewhere.join(" and ")}.`]
      : []),
  ]);
  return [
    "Bytes: gzip bodies of all files that the page loads, without the page itself. In the page: additional bytes of the page for the banner’s lines.",
    "All banners: the same shop with one language, two categories and four vendors, in a new browser profile. Only this machine is reachable.",
    ...notes,
  ].join("\n  ");
}

import { type Resolve, scanSite } from "@avow/scanner";
import { ScanError } from "@avow/scanner/errors";
import { findChromium } from "@avow/scanner/installed";
import { getOnlyPositional, parseOptions } from "../terminal/arguments.ts";
import { CommandError, UsageError } from "../terminal/errors.ts";
import { openProgress } from "../terminal/progress.ts";
import { hasBreach, printResult } from "./report.ts";

const help = `Usage: avow scan URL [--pages N] [--json] [--allow HOST]…

Visits a site with Chromium: without an answer, after refusal and after acceptance. Prints the services,
cookies and storage that it found, and what ran before consent or after refusal. Answers are given
through the consent tool of the page, and recorded nowhere if that is Avow.

  --pages N          maximum number of pages (1 to 50, default: 10)
  --seconds N        maximum duration (10 to 3600, default: 600)
  --allow HOST       a host that may run without consent; *.example.com stands for all below. Can be
                     repeated
  --json             print the result as JSON, with proposed vendors
  --map HOST=ADDRESS[:PORT]
                     connect to this IP address instead of the host's, for a site that is not public
                     yet; * stands for every host. Can be repeated
  --insecure         accept any TLS certificate
  --no-sandbox       start Chromium without its sandbox, which root needs; only for sites you trust
  --quiet            print no progress
  -h, --help         print this text

Needs Chromium: Debian's package chromium-headless-shell or chromium, or CHROMIUM_PATH. Private
addresses are contacted only for the host of URL.

Exit status: 0 if nothing ran before consent or after refusal, 1 if something did or the scan failed,
2 for wrong usage, 130 after an interrupt (Ctrl-C).
`;
const options = {
  pages: { type: "string" },
  seconds: { type: "string" },
  allow: { type: "string", multiple: true },
  json: { type: "boolean" },
  map: { type: "string", multiple: true },
  insecure: { type: "boolean" },
  "no-sandbox": { type: "boolean" },
  quiet: { type: "boolean" },
} as const;

/** Opens the check of addresses, which the service implements for its own requests. */
export type OpenResolve = (ownHost: string) => Promise<Resolve>;

/** Runs `avow scan`; returns the exit status. */
export async function runScan(
  args: string[],
  { signal, openResolve }: { signal: AbortSignal; openResolve: OpenResolve },
): Promise<number> {
  const given = parseOptions(args, help, options);
  if (!given) return 0;
  const { values } = given;
  const url = readSite(getOnlyPositional(given.positionals, "URL"));
  const progress = openProgress(values.quiet === true);
  const pagesMax = readNumber("pages", values.pages, { min: 1, max: 50 });
  const totalSeconds = readNumber("seconds", values.seconds, { min: 10, max: 3_600 });
  const resolve = mapHosts(await openResolve(url.hostname), values.map ?? []);
  try {
    const result = await scanSite({
      url: url.href,
      executablePath: findChromium(process.env["CHROMIUM_PATH"] || undefined),
      hasSandbox: values["no-sandbox"] !== true && process.env["CHROMIUM_SANDBOX"] !== "off",
      resolve,
      isInsecure: values.insecure === true,
      ...(pagesMax !== undefined && { pagesMax }),
      ...(totalSeconds !== undefined && { totalSeconds }),
      allowedHosts: values.allow ?? [],
      signal,
      onProgress: ({ phase, pages, url: page }) =>
        progress.say(`${phase}: page ${pages + 1}, ${page}`),
    });
    if (values.json === true) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    else printResult(result);
    return hasBreach(result) ? 1 : 0;
  } catch (error) {
    if (error instanceof ScanError) throw new CommandError(error.message);
    throw error;
  }
}

function readSite(text: string): URL {
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`Expected the address of a site, got ${text}.`);
  return url;
}

function readNumber(
  name: string,
  text: string | undefined,
  { min, max }: { min: number; max: number },
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max)
    throw new UsageError(`--${name}: expected a number from ${min} to ${max}, got ${text}.`);
  return value;
}

/** Connects mapped hosts to the address that the operator gave. */
function mapHosts(resolve: Resolve, given: readonly string[]): Resolve {
  const targets = new Map(given.map(readMapping));
  return async (host, port) => {
    const target = targets.get(host) ?? targets.get("*");
    if (!target) return resolve(host, port);
    return { addresses: [target.address], port: target.port ?? port };
  };
}

function readMapping(text: string): [string, { address: string; port: number | undefined }] {
  const [, host, v6, v4, port] =
    /^([^=]+)=(?:\[([\da-fA-F:.]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const address = v6 ?? v4;
  if (host === undefined || address === undefined)
    throw new UsageError(`--map: expected HOST=ADDRESS or HOST=ADDRESS:PORT, got ${text}.`);
  return [host.toLowerCase(), { address, port: port === undefined ? undefined : Number(port) }];
}

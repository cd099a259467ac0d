import { parseArgs } from "node:util";
import { toReasonOf } from "../../instance/requests.ts";
import { readNumber } from "../measure/arguments.ts";

const help = `Usage: npm run bench:scale -- [--sizes A,B,…] [--seconds N] [--connections C] [--projects P]
                              [--keep FOLDER | --reuse FOLDER]

Fills a database with generated consents to each size, and measures there: collecting, a token's state
and history, the first and the last page of tokens and of accepted tokens, now and half a year ago, of
the largest project and of a medium one. Prints rates and 99th percentiles, and their change from the
first size to the last. PostgreSQL has production durability. Stops every process and removes every file
at the end. 10,000,000 consents take about 13 GB of disk.

  --sizes A,B,…     numbers of consents, ascending (default: 0,1000000,10000000)
  --seconds N       duration of each measurement, after a warm-up of 2 s (default: 5)
  --connections C   concurrent connections (default: 64)
  --projects P      projects; the second has half the traffic of the first, and so on (default: 200)
  --keep FOLDER     keep the filled database in this new folder
  --reuse FOLDER    resume with a kept database at its size, and keep it
  -h, --help        print this text
`;

const numbers = {
  seconds: { default: 5, min: 1, max: 3_600 },
  connections: { default: 64, min: 1, max: 1_000 },
  projects: { default: 200, min: 3, max: 10_000 },
};
const SIZES = "0,1000000,10000000";
const SIZE_MAX = 200_000_000;

export interface Options extends Record<keyof typeof numbers, number> {
  sizes: readonly number[];
  /** The folder of the kept database, and whether it exists. */
  kept: { folder: string; exists: boolean } | undefined;
}

/** Parses the options. Returns the exit status if there is nothing to run. */
export function readOptions(args: string[]): Options | { status: number } {
  try {
    const text = { type: "string" } as const;
    const names = ["sizes", "seconds", "connections", "projects", "keep", "reuse"] as const;
    const options = Object.fromEntries(names.map((name) => [name, text]));
    const parsed = parseArgs({
      args,
      options: { ...options, help: { type: "boolean", short: "h" } },
    });
    const values: Record<string, unknown> = parsed.values;
    if (values["help"] === true) {
      process.stdout.write(help);
      return { status: 0 };
    }
    return toAsked(values);
  } catch (error) {
    console.error(`${toReasonOf(error)}\nSee: npm run bench:scale -- --help`);
    return { status: 2 };
  }
}

function toAsked(values: Record<string, unknown>): Options {
  const { keep, reuse } = values;
  if (keep !== undefined && reuse !== undefined)
    throw new Error("--keep and --reuse cannot be combined.");
  const folder = keep ?? reuse;
  return {
    sizes: readSizes(values["sizes"]),
    seconds: readNumber("seconds", values["seconds"], numbers.seconds),
    connections: readNumber("connections", values["connections"], numbers.connections),
    projects: readNumber("projects", values["projects"], numbers.projects),
    kept: typeof folder === "string" ? { folder, exists: reuse !== undefined } : undefined,
  };
}

function readSizes(text: unknown): number[] {
  const parts = (typeof text === "string" ? text : SIZES).split(",");
  const sizes = parts.map((part) =>
    readNumber("sizes", part, { default: Number.NaN, min: 0, max: SIZE_MAX }),
  );
  if (sizes.some((size, at) => size <= (sizes[at - 1] ?? -1)))
    throw new Error(`--sizes: expected ascending numbers, got ${parts.join(",")}`);
  return sizes;
}

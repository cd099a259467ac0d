import { parseArgs } from "node:util";
import { toReasonOf } from "../../instance/requests.ts";
import { readNumber } from "../measure/arguments.ts";

const COMMAND = "bench:cluster";
const help = `Usage: npm run ${COMMAND} -- --url URL [--plain URL] [--workers LIST] [--projects LIST] [--buckets N]
                                [--rate N] [--seconds N] [--rounds R] [--move]

Offers consents at a fixed rate to the service, whose data plane is distributed over the servers of a Citus cluster, and
prints a row for each number of workers and of projects: rate, waits, processor time for each consent by process, and the
size of groups. Each consent has a new visitor, six vendors and an Idempotency-Key; one that is not accepted is retried
with its key. Finally checks that every accepted consent is stored once.

Creates databases of its own on the servers and drops them; the role must be allowed to (on Citus: a superuser). The
control plane is a PostgreSQL of its own and not counted.

  --url URL         a database of the coordinator, or of one PostgreSQL
  --plain URL       a database of a PostgreSQL without Citus, for the first row
  --workers LIST    numbers of workers to compare, such as 1,2,4 (default: all)
  --projects LIST   numbers of projects that share the rate (default: 64)
  --buckets N       number of buckets (default: as avow db distribute: four for each worker)
  --rate N          consents per second (default: 500)
  --seconds N       duration of each measurement, after a warm-up of 3 s (default: 10)
  --rounds R        rounds in alternation (default: 3)
  --move            then move a bucket between two workers three times while consents arrive
  -h, --help        print this text

Columns: “µs” are processor time for each consent, in Node and on each server of this machine (– on others); “ratio” compares
their sum with the first row of a cluster with as many projects. “One server” is the share of groups among the groups and the
transactions that a worker prepared for a commit in two phases, those of the log.
`;
const numbers = {
  rate: { default: 500, min: 1, max: 100_000 },
  seconds: { default: 10, min: 1, max: 3_600 },
  rounds: { default: 3, min: 1, max: 1_000 },
} as const;
const texts = ["url", "plain", "workers", "projects", "buckets"] as const;

export interface Options extends Record<keyof typeof numbers, number> {
  url: string;
  plain: string | undefined;
  /** Undefined: all. */
  workers: readonly number[] | undefined;
  projects: readonly number[];
  buckets: number | undefined;
  move: boolean;
}

/** Parses the options. Returns the exit status if there is nothing to run, after printing the help or an error. */
export function readOptions(args: string[]): Options | { status: number } {
  try {
    const names = [...texts, ...Object.keys(numbers)];
    const parsed = parseArgs({
      args,
      options: {
        ...Object.fromEntries(names.map((name) => [name, { type: "string" }] as const)),
        move: { type: "boolean" } as const,
        help: { type: "boolean", short: "h" } as const,
      },
    });
    const values: Record<string, unknown> = parsed.values;
    if (values["help"] === true) {
      process.stdout.write(help);
      return { status: 0 };
    }
    const { buckets, workers } = values;
    const url = toUrl("url", values["url"]);
    if (url === undefined) throw new Error("--url is missing.");
    return {
      url,
      plain: toUrl("plain", values["plain"]),
      workers: workers === undefined ? undefined : toList("workers", workers, 64),
      projects: toList("projects", values["projects"] ?? "64", 10_000),
      buckets:
        buckets === undefined
          ? undefined
          : readNumber("buckets", buckets, { default: 0, min: 1, max: 256 }),
      rate: readNumber("rate", values["rate"], numbers.rate),
      seconds: readNumber("seconds", values["seconds"], numbers.seconds),
      rounds: readNumber("rounds", values["rounds"], numbers.rounds),
      move: values["move"] === true,
    };
  } catch (error) {
    console.error(`${toReasonOf(error)}\nSee: npm run ${COMMAND} -- --help`);
    return { status: 2 };
  }
}

function toUrl(name: string, text: unknown): string | undefined {
  if (text === undefined) return undefined;
  const isUrl =
    typeof text === "string" && /^postgres(?:ql)?:$/.test(URL.parse(text)?.protocol ?? "");
  if (isUrl) return text;
  throw new Error(`--${name}: expected a URL such as postgresql://user@host:5432/database.`);
}

function toList(name: string, text: unknown, max: number): number[] {
  const parts = String(text).split(",");
  return parts.map((part) => readNumber(name, part, { default: 0, min: 1, max }));
}

import { parseArgs } from "node:util";
import { type Client, createClient } from "@avow/client";
import { UsageError, toReason } from "./errors.ts";
import { type Progress, openProgress } from "./progress.ts";
import { RETRIES } from "./retries.ts";

/** The address of a service with default settings. */
export const DEFAULT_URL = "http://127.0.0.1:8080";

/** The part of the help that all commands share. */
const sharedHelp = `  --url URL         the service (default: AVOW_URL, or ${DEFAULT_URL})
  --token TOKEN     an access token; prefer AVOW_TOKEN, which other users of the machine cannot
                    see
  --quiet           print errors only
  -h, --help        print this text

Exit status: 0 for success, 1 for a failure, 2 for wrong usage, 130 after an interrupt (Ctrl-C).
`;

const shared = {
  url: { type: "string" },
  token: { type: "string" },
  quiet: { type: "boolean" },
} as const;
const helpOption = { help: { type: "boolean", short: "h" } } as const;

type Options = Record<string, { type: "string" | "boolean"; short?: string; multiple?: boolean }>;

/** A command's arguments; every option that is set is text or true. */
export interface Arguments {
  positionals: string[];
  text: (name: string) => string | undefined;
  is: (name: string) => boolean;
  client: Client;
  progress: Progress;
}

/** Parses arguments; undefined after printing the help. @throws UsageError */
export function readArguments(
  args: string[],
  { help, options, positionals: names }: { help: string; options: Options; positionals: string[] },
): Arguments | undefined {
  const parsed = parseOptions(args, help + sharedHelp, { ...shared, ...options });
  if (!parsed) return undefined;
  const { positionals } = parsed;
  const values: Record<string, unknown> = parsed.values;
  if (positionals.length !== names.length)
    throw new UsageError(`Expected ${names.join(" and ")}, got ${positionals.length} arguments.`);
  const text = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === "string" ? value : undefined;
  };
  const is = (name: string): boolean => values[name] === true;
  const url = readUrl(text("url"));
  const token = text("token") ?? process.env["AVOW_TOKEN"] ?? "";
  if (token === "") throw new UsageError("Set AVOW_TOKEN to an access token of the service.");
  const client = createClient({ url, token, retries: RETRIES });
  return { positionals, text, is, client, progress: openProgress(is("quiet")) };
}

/**
 * Parses options and positionals; undefined after printing the help.
 * @throws UsageError
 */
export function parseOptions<const T extends Options>(args: string[], help: string, options: T) {
  const parsed = parse(args, { ...options, ...helpOption });
  if (!("help" in parsed.values)) return parsed;
  process.stdout.write(help);
  return undefined;
}

function parse<const T extends Options>(args: string[], options: T) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(toReason(error));
  }
}

/** The one positional argument of a command, which `expected` describes. @throws UsageError if there is another number */
export function getOnlyPositional([first, ...rest]: readonly string[], expected: string): string {
  if (first === undefined || rest.length > 0) throw new UsageError(`Expected one ${expected}.`);
  return first;
}

/** @throws UsageError for positional arguments */
export function assertNoPositionals([first]: readonly string[]): void {
  if (first !== undefined) throw new UsageError(`Unexpected argument ${first}.`);
}

/** The address of the service, without a slash at its end. Throws `UsageError`. */
export function readUrl(given: string | undefined): string {
  const url = given ?? (process.env["AVOW_URL"] || DEFAULT_URL);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(`--url: expected an http or https address, got ${url}.`);
  return url.replace(/\/+$/, "");
}

/** One of some names that an option may have. Throws `UsageError`. */
export function readChoice<const T extends string>(
  name: string,
  value: string,
  choices: readonly T[],
): T {
  const found = choices.find((choice) => choice === value);
  if (!found) throw new UsageError(`--${name}: expected ${choices.join(", ")}, got ${value}.`);
  return found;
}

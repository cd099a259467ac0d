import { parseArgs } from "node:util";
import { toReasonOf } from "../../instance/requests.ts";

/** An option that is a number. */
export interface NumberOption {
  default: number;
  min: number;
  max: number;
  /** Whether fractions are allowed. */
  fraction?: boolean;
}

/**
 * Parses numeric options, and those of `texts`, which have no default. Returns the exit status if there is nothing to run,
 * after printing the help or the error of an option.
 */
export function readNumbers<Name extends string, Text extends string = never>(parts: {
  args: string[];
  command: string;
  help: string;
  options: Record<Name, NumberOption>;
  texts?: readonly Text[];
}): (Record<Name, number> & Record<Text, string | undefined>) | { status: number } {
  const { args, command, help, options, texts = [] } = parts;
  try {
    const names = Object.keys(options) as Name[];
    const parsed = parseArgs({
      args,
      options: {
        ...Object.fromEntries(
          [...names, ...texts].map((name) => [name, { type: "string" }] as const),
        ),
        help: { type: "boolean", short: "h" } as const,
      },
    });
    const values: Record<string, unknown> = parsed.values;
    if (values["help"] === true) {
      process.stdout.write(help);
      return { status: 0 };
    }
    const read = names.map((name) => [name, readNumber(name, values[name], options[name])]);
    const given = texts.map((name) => [name, values[name]]);
    return Object.fromEntries([...read, ...given]) as Record<Name, number> &
      Record<Text, string | undefined>;
  } catch (error) {
    console.error(`${toReasonOf(error)}\nSee: npm run ${command} -- --help`);
    return { status: 2 };
  }
}

/** The value of a numeric option, or its default. Throws if it is not a valid number. */
export function readNumber(name: string, text: unknown, option: NumberOption): number {
  if (typeof text !== "string") return option.default;
  const { min, max, fraction = false } = option;
  const number = text.trim() === "" ? Number.NaN : Number(text);
  if (number >= min && number <= max && (fraction || Number.isInteger(number))) return number;
  const kind = fraction ? "a number" : "a whole number";
  throw new Error(`--${name}: expected ${kind} from ${min} to ${max}, got ${text}`);
}

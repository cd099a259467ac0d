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
 * Parses numeric options. Returns the exit status if there is nothing to run, after printing the help or the error of an
 * option.
 */
export function readNumbers<Name extends string>(given: {
  args: string[];
  command: string;
  help: string;
  options: Record<Name, NumberOption>;
}): Record<Name, number> | { status: number } {
  const { args, command, help, options } = given;
  try {
    const names = Object.keys(options) as Name[];
    const parsed = parseArgs({
      args,
      options: {
        ...Object.fromEntries(names.map((name) => [name, { type: "string" } as const])),
        help: { type: "boolean", short: "h" } as const,
      },
    });
    const values: Record<string, unknown> = parsed.values;
    if (values["help"] === true) {
      process.stdout.write(help);
      return { status: 0 };
    }
    const read = names.map((name) => [name, readNumber(name, values[name], options[name])]);
    return Object.fromEntries(read) as Record<Name, number>;
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

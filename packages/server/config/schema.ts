import type { Kind } from "./kinds.ts";

interface Facts<Path, Default, Secret> {
  /**
   * The value's field in `Config`, or in `Secrets` for a secret: `dataDir`, `database.poolMax`. A setting without a path
   * decides a field together with others, in `config.ts`.
   */
  readonly path?: Path;
  /** The default, as text; without one, the value of an unset variable is undefined. */
  readonly default?: Default;
  /** The default in words, where `default` does not say it; "none" if both are missing. */
  readonly defaultShown?: string;
  /**
   * Settings or values that require this setting, such as `SMTP_URL` or `CDN=purge`. Without such a value, this setting
   * has no effect.
   */
  readonly requiredWith?: readonly string[];
  /** One sentence that opens with a noun. */
  readonly description: string;
  /** Keeps the value out of `Config`, logs and errors. */
  readonly secret?: Secret;
}

/** One environment variable. */
export type Setting<T = unknown, Path = string, Default = string, Secret = boolean> = Facts<
  Path,
  Default,
  Secret
> & { readonly kind: Kind<T> };

export function setting<
  T,
  const Path extends string = never,
  const Default extends string = never,
  const Secret extends boolean = false,
>(kind: Kind<T>, facts: Facts<Path, Default, Secret>): Setting<T, Path, Default, Secret> {
  return { kind, ...facts };
}

type Settings = Readonly<Record<string, Setting>>;

type ValueOf<S> =
  S extends Setting<infer T, string, infer Default>
    ? T | ([Default] extends [never] ? undefined : never)
    : never;

/** The values of a table of settings, by environment name. */
export type ValuesOf<T> = { readonly [N in keyof T]: ValueOf<T[N]> };

/** The fields of `Config` that settings name by their `path`. */
export type ConfigOf<T extends Settings> = Intersection<
  {
    [N in keyof T]: T[N] extends Setting<unknown, infer Path, string, false>
      ? AtPath<Path, ValueOf<T[N]>>
      : never;
  }[keyof T]
>;

/** The fields of `Secrets` that secret settings name by their `path`. */
export type SecretsOf<T extends Settings> = {
  readonly [
    N in keyof T as T[N] extends Setting<unknown, infer Path extends string, string, true>
      ? Path
      : never
  ]?: Exclude<ValueOf<T[N]>, undefined>;
};

type AtPath<Path, V> = Path extends `${infer Section}.${infer Field}`
  ? { readonly [S in Section]: { readonly [F in Field]: V } }
  : { readonly [F in Path & string]: V };

export type Intersection<U> = (U extends unknown ? (part: U) => void : never) extends (
  whole: infer I,
) => void
  ? I
  : never;

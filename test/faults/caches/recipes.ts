import { readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The settings of one cache in docs/guides/cdn.md: environment variables, and the cache's own configuration.
 */
export interface Recipe {
  name: string;
  env: Record<string, string>;
  /** For Varnish (VCL) and nginx, as the page shows it. */
  configuration: string | undefined;
}

/** Parses the page's sections that have settings. */
export async function readRecipes(): Promise<Recipe[]> {
  const page = await readFile(join(import.meta.dirname, "../../../docs/guides/cdn.md"), "utf8");
  return page
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [name = ""] = section.split("\n", 1);
      const settings = /```sh\n([\s\S]*?)```/.exec(section)?.[1];
      const configuration = /```(?:vcl|nginx)\n([\s\S]*?)```/.exec(section)?.[1];
      return settings === undefined ? [] : [{ name, env: readSettings(settings), configuration }];
    });
}

/** Parses `NAME=value` lines as a shell does, with or without single quotes. */
function readSettings(text: string): Record<string, string> {
  const lines = text.trim().split("\n");
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = "", quoted, plain] = /^([A-Z0-9_]+)=(?:'([^']*)'|(\S*))$/.exec(line) ?? [];
      if (name === "") throw new Error(`no setting: ${line}`);
      return [name, quoted ?? plain ?? ""];
    }),
  );
}

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { getOnlyPositional, parseOptions } from "@avow/cli/arguments";
import { CommandError, UsageError } from "@avow/cli/errors";
import { toPath } from "@avow/cli/path";
import { codeOf } from "../../platform/errors.ts";

const help = `Usage: avow init FOLDER [--url URL]

Writes a folder for an installation of Avow:

  avow.env          settings, each with its meaning
  .gitignore        for a folder that is kept in Git: without data and secrets

Files that exist are kept as they are.

  --url URL         the address at which visitors reach the service, such as https://consent.example
  -h, --help        print this text
`;

const templates = join(import.meta.dirname, "templates");
/** Files of the folder, by the template of each. */
const files = { "avow.env": "avow.env", ".gitignore": "gitignore" };

/** Runs `avow init`; returns the exit status. */
export async function runInit(args: string[]): Promise<number> {
  const parsed = parseOptions(args, help, { url: { type: "string" } });
  if (!parsed) return 0;
  const folder = getOnlyPositional(parsed.positionals, "FOLDER");
  const { url } = parsed.values;
  if (url !== undefined && !/^https?:\/\/[^\s/]+$/.test(url))
    throw new UsageError(`--url: expected an address without a path, got ${url}.`);
  const target = toPath(folder);
  await mkdir(target, { recursive: true });
  for (const [name, template] of Object.entries(files)) {
    const text = await readFile(join(templates, template), "utf8");
    const isNew = await writeNew(join(target, name), fill(text, url));
    console.log(`  ${isNew ? "wrote" : "kept "}  ${join(folder, name)}`);
  }
  const change = relative(process.cwd(), target) === "" ? "" : `cd ${folder} && `;
  console.log(`Start the service: ${change}npx avow`);
  return 0;
}

/** Sets PUBLIC_URL, which is a comment in the template. */
function fill(text: string, url: string | undefined): string {
  return url === undefined ? text : text.replace(/^# PUBLIC_URL=.*$/m, () => `PUBLIC_URL=${url}`);
}

/** Writes a file that only its owner can read, unless it exists; returns whether it was written. */
async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw new CommandError(`${file} cannot be written.`, { cause: error });
  }
}

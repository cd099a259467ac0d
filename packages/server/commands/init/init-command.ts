import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { getOnlyPositional, parseOptions } from "@avow/cli/arguments";
import { CommandError, UsageError } from "@avow/cli/errors";
import { toPath } from "@avow/cli/path";
import { codeOf } from "../../platform/errors.ts";

const help = `Usage: avow init FOLDER [--url URL]

Writes a folder for an installation of Avow:

  avow.env          settings of npx avow, each with its meaning
  compose.yaml      or in containers: the service, PostgreSQL, Caddy with TLS, and backups
  .env              the host name and the image for compose.yaml
  Caddyfile         the proxy of compose.yaml
  make-secrets.sh   writes the passwords and keys of compose.yaml to ./secrets
  .gitignore        for a folder that is kept in Git: without data and secrets

Files that exist are kept as they are.

  --url URL         the address at which visitors reach the service, such as https://consent.example
  -h, --help        print this text
`;

const templates = join(import.meta.dirname, "templates");
/** The samples of the checkout, which the package has as well. */
const samples = join(import.meta.dirname, "../../../../deploy");
/** Files of the folder, by the source of each. */
const files = {
  "avow.env": join(templates, "avow.env"),
  "compose.yaml": join(samples, "compose/compose.yaml"),
  ".env": join(templates, "compose.env"),
  Caddyfile: join(samples, "caddy/Caddyfile"),
  "make-secrets.sh": join(samples, "compose/make-secrets.sh"),
  ".gitignore": join(templates, "gitignore"),
};

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
  for (const [name, source] of Object.entries(files)) {
    const text = fill(await readFile(source, "utf8"), url);
    const isNew = await writeNew(join(target, name), text, name.endsWith(".sh") ? 0o755 : 0o600);
    console.log(`  ${isNew ? "wrote" : "kept "}  ${join(folder, name)}`);
  }
  const change = relative(process.cwd(), target) === "" ? "" : `cd ${folder} && `;
  console.log(`Start the service:  ${change}npx avow`);
  console.log(`Or in containers:   ${change}./make-secrets.sh && docker compose up -d`);
  console.log("Containers need the image that .env names: build or pull it first.");
  return 0;
}

/** Sets the address, and where files of the folder are that lie elsewhere in a checkout. */
function fill(text: string, url: string | undefined): string {
  const filled = text.replace("../caddy/Caddyfile", "./Caddyfile");
  if (url === undefined) return filled;
  return filled
    .replace(/^# PUBLIC_URL=.*$/m, () => `PUBLIC_URL=${url}`)
    .replace(/^AVOW_HOST=.*$/m, () => `AVOW_HOST=${new URL(url).hostname}`);
}

/** Writes a file that nobody else can read, unless it exists; returns whether it was written. */
async function writeNew(file: string, text: string, mode: number): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: "wx", mode });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw new CommandError(`${file} cannot be written.`, { cause: error });
  }
}

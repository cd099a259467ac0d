import { styleText } from "node:util";
import { assertNoPositionals, parseOptions } from "@avow/cli/arguments";
import { openAddress } from "@avow/postgres/address";
import { pino } from "pino";
import { ConfigError, loadConfig } from "../../config/config.ts";
import { assertDatabaseResponds, openPlanes, toPlaneUrls } from "../../platform/db/open.ts";
import { type Finding, type Patient, checks, toReason } from "./checks.ts";

const help = `Usage: avow doctor [--json]

Checks the settings, the address, the data folder, the disk, the database, the clock, the storage of files,
the mail server and the log, and prints what to do. Reads the settings of the service from the environment.
Writes one small file to the storage and deletes it.

  --json            print the findings as JSON
  -h, --help        print this text

Exit status: 0 without errors (there may be warnings), 1 with errors, 2 for wrong usage.
`;

const marks = {
  ok: ["green", "✓"],
  warning: ["yellow", "!"],
  error: ["red", "✗"],
} as const;

/** Runs `avow doctor`; returns the exit status. */
export async function runDoctor(args: string[]): Promise<number> {
  const parsed = parseOptions(args, help, { json: { type: "boolean" } });
  if (!parsed) return 0;
  assertNoPositionals(parsed.positionals);
  const findings = await examine();
  process.stdout.write(
    parsed.values.json === true ? `${JSON.stringify(findings, null, 2)}\n` : toTable(findings),
  );
  return findings.some(({ state }) => state === "error") ? 1 : 0;
}

async function examine(): Promise<Finding[]> {
  let loaded: ReturnType<typeof loadConfig>;
  try {
    loaded = loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = "Correct the settings; avow start --help describes each of them.";
    return [{ name: "settings", state: "error", text: error.message, advice }];
  }
  const { config, secrets } = loaded;
  await using opened = new AsyncDisposableStack();
  const found: Finding[] = [{ name: "settings", state: "ok", text: "All settings are valid." }];
  const patient: Patient = { config, secrets, database: "", now: () => new Date() };
  const log = pino({ level: "silent" });
  try {
    const address = opened.use(await openAddress({ ...config, ...secrets, log }));
    const urls = toPlaneUrls(address.url, secrets.consentsDatabaseUrl);
    const planes = opened.use(
      openPlanes({ ...urls, poolMax: 1, queueMax: 10, log, pooling: config.database.pooling }),
    );
    await assertDatabaseResponds(planes.db);
    await assertDatabaseResponds(planes.data);
    patient.database = planes;
  } catch (error) {
    patient.database = toReason(error);
  }
  for (const [name, check] of Object.entries(checks))
    found.push({ name, ...(await check(patient).catch(toFinding)) });
  return found;
}

function toFinding(error: unknown): Omit<Finding, "name"> {
  return {
    state: "error",
    text: toReason(error),
    advice: "See docs/guides, or report this with the output of avow doctor --json.",
  };
}

function toTable(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const lines = findings.flatMap(({ name, state, text, advice }) => {
    const [color, mark] = marks[state];
    const indent = " ".repeat(width + 6);
    const [first = "", ...more] = text.split("\n");
    return [
      `  ${styleText(color, mark)} ${name.padEnd(width)}  ${first}`,
      ...more.map((line) => indent + line),
      ...(advice === undefined ? [] : [`${indent}→ ${advice}`]),
    ];
  });
  const count = (state: Finding["state"]) => findings.filter((one) => one.state === state).length;
  const [errors, warnings] = [count("error"), count("warning")];
  const summary = `${errors} ${errors === 1 ? "error" : "errors"}, ${warnings} ${warnings === 1 ? "warning" : "warnings"}`;
  return `\n${lines.join("\n")}\n\n  ${summary}\n\n`;
}

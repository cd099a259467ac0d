import { join } from "node:path";
import { readFile } from "node:fs/promises";
import { openLeakDetector } from "./log-leaks.ts";

/**
 * The log of every service of this run, and the secrets of the tests. It is searched at the end of the run,
 * which fails if a secret was logged.
 */
export const runLog = openLeakDetector();
// At exit, when every service has ended: a hook that throws would keep later hooks from closing theirs.
process.once("exit", () => {
  const leaks = runLog.findLeaks();
  runLog[Symbol.dispose]();
  if (leaks.length === 0) return;
  const shown = leaks.slice(0, 20).join("\n");
  process.stderr.write(`Secrets were logged, ${leaks.length} times:\n${shown}\n`);
  process.exitCode = 1;
});

/** Records an operator's secrets: settings by their names, and the secrets of sign-in providers. */
export function rememberSettings(env: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(env))
    if (/SECRET|TOKEN|PASSWORD/.test(name)) runLog.remember(`the setting ${name}`, value);
  for (const [, secret] of (env["SIGN_IN_PROVIDERS"] ?? "").matchAll(/"clientSecret":"([^"]+)"/g))
    runLog.remember("a client's secret", secret);
}

/** Records the keys that a service generated in its folder, if any. */
export async function rememberKeys(dataDir: string): Promise<void> {
  for (const name of ["secret.key", "log.keys"]) {
    const text = await readFile(join(dataDir, name), "utf8").catch(() => "");
    for (const line of text.split("\n")) runLog.remember(`the key in ${name}`, line.trim());
  }
}

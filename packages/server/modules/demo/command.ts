import { type Config, loadConfig } from "../../config/config.ts";

const defaultUrl = loadConfig({}).config.http.publicUrl;

/** The command of the demo with these arguments, in a checkout or in the published package. */
export function toDemoRun(args = ""): string {
  const isCheckout = import.meta.filename.endsWith(".ts");
  const run = isCheckout ? "npm run demo" : "npx avow demo";
  return args === "" ? run : `${run}${isCheckout ? " --" : ""} ${args}`;
}

/** The shell command that starts the demo for a service with this configuration. */
export function toDemoCommand({ publicUrl, port }: Config["http"]): string {
  const run = toDemoRun();
  if (publicUrl === defaultUrl) return run;
  if (publicUrl === `http://127.0.0.1:${port}`) return `PORT=${port} ${run}`;
  const isPlain = /^[\w:/.%~-]+$/.test(publicUrl);
  return `PUBLIC_URL=${isPlain ? publicUrl : `'${publicUrl.replaceAll("'", "%27")}'`} ${run}`;
}

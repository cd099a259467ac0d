import { type Config, loadConfig } from "../../config/config.ts";

const defaultUrl = loadConfig({}).config.http.publicUrl;

/** The shell command that starts the demo for a service with this configuration. */
export function toDemoCommand({ publicUrl, port }: Config["http"]): string {
  const run = import.meta.filename.endsWith(".ts") ? "npm run demo" : "npx avow demo";
  if (publicUrl === defaultUrl) return run;
  if (publicUrl === `http://127.0.0.1:${port}`) return `PORT=${port} ${run}`;
  const isPlain = /^[\w:/.%~-]+$/.test(publicUrl);
  return `PUBLIC_URL=${isPlain ? publicUrl : `'${publicUrl.replaceAll("'", "%27")}'`} ${run}`;
}

import type { Config } from "../../config/config.ts";
import { settings } from "../../config/settings.ts";

/** What to type for the demo to find the service that has this configuration. */
export function toDemoCommand({ publicUrl, port }: Config["http"]): string {
  const run = "npm run demo";
  if (publicUrl === toLocal(settings.PORT.default)) return run;
  if (publicUrl === toLocal(port)) return `PORT=${port} ${run}`;
  const isPlain = /^[\w:/.%~-]+$/.test(publicUrl);
  return `PUBLIC_URL=${isPlain ? publicUrl : `'${publicUrl.replaceAll("'", "%27")}'`} ${run}`;
}

function toLocal(port: string | number): string {
  return `http://127.0.0.1:${port}`;
}

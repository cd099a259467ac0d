import { join } from "node:path";
import { type ChildService, openService } from "../../instance/service.ts";
import { findFreePort } from "../../../server/platform/ports.ts";

const HOST = "127.0.0.1";

export interface BenchService extends ChildService {
  url: string;
}

/**
 * Starts Avow with default settings and those of `settings`, with its files in `folder`, on the
 * database at `databaseUrl` or on its embedded one. `tree` is the root of another checkout to start.
 */
export async function openAvow(
  folder: string,
  databaseUrl?: string,
  settings: Readonly<Record<string, string>> = {},
  tree?: string,
): Promise<BenchService> {
  const port = settings["PORT"] ?? String(await findFreePort(HOST));
  const url = `http://${HOST}:${port}`;
  const { PATH } = process.env;
  const env = {
    PATH,
    HOST,
    PORT: port,
    DATA_DIR: join(folder, "avow"),
    LOG_FORMAT: "json",
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...settings,
  };
  return { url, ...(await openService({ url, env, tree })) };
}

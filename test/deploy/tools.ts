import { join } from "node:path";

/**
 * The programs of test/deploy/tools, about 290 MB, which `npm run test:deploy` installs. They are a package with a lock
 * file of its own, so that nobody else downloads them.
 */
export const toolModules = join(import.meta.dirname, "tools/node_modules");

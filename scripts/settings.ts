// npm run settings: writes docs/reference/settings.md from packages/server/config.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { toSettingsPage } from "../packages/server/config/help.ts";

await writeFile(join(import.meta.dirname, "../docs/reference/settings.md"), toSettingsPage());

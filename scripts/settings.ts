// npm run settings: writes docs/reference/settings.md and docs/reference/errors.md from the code.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { toSettingsPage } from "../packages/server/config/help.ts";
import { toErrorsPage } from "../packages/server/http/errors/problems.ts";

const reference = join(import.meta.dirname, "../docs/reference");
await writeFile(join(reference, "settings.md"), toSettingsPage());
await writeFile(join(reference, "errors.md"), toErrorsPage());

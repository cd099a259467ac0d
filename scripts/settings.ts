// npm run settings: writes docs/reference/settings.md, docs/reference/errors.md and the Helm chart's values.schema.json
// from the code.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chartSchemaFile, toChartSchema } from "./chart-schema.ts";
import { toSettingsPage } from "../packages/server/config/help.ts";
import { toErrorsPage } from "../packages/server/http/errors/problems.ts";

const reference = join(import.meta.dirname, "../docs/reference");
await writeFile(join(reference, "settings.md"), toSettingsPage());
await writeFile(join(reference, "errors.md"), toErrorsPage());
await writeFile(chartSchemaFile, await toChartSchema());

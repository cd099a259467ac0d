// npm run openapi: writes docs/reference/openapi.json from the routes, using a temporary database, and
// generates from it the operations of @avow/client and the field schemas of the admin app's forms.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { openApp } from "../packages/server/app.ts";
import { loadConfig } from "../packages/server/config/config.ts";
import { paths } from "@avow/contract/urls";
import { openRunDatabase } from "../test/runner/database.ts";
import { openApiFile, toOpenApiText } from "./openapi-file.ts";
import { fieldsFile, toFieldsText } from "./openapi-fields.ts";
import { type Document, operationsFile, toOperationsText } from "./openapi-types.ts";

await using opened = new AsyncDisposableStack();
const database = opened.use(await openRunDatabase());
const dataDir = await mkdtemp(join(tmpdir(), "avow-openapi-"));
opened.defer(() => rm(dataDir, { recursive: true, force: true }));
const { config, secrets } = loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: "fatal" });
const log = pino({ level: config.log.level });
const app = opened.use(await openApp({ config, secrets, databaseUrl: database.url, log }));
const answer = await app.http.inject(paths.openapi);
if (answer.statusCode !== 200) throw new Error(`${paths.openapi} answered ${answer.statusCode}`);
const document = answer.json<Document>();
await writeFile(openApiFile, toOpenApiText(document));
await writeFile(operationsFile, toOperationsText(document));
await writeFile(fieldsFile, toFieldsText(document));
console.log(`${openApiFile}: ${Object.keys(document.paths).length} paths`);

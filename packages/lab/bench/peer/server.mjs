// The peer as a server: its handler on PostgreSQL by its Kysely adapter, migrated by its own migrator.
// Copied to the installed packages and run there; sends its address to the parent.
import { serve } from "@hono/node-server";
import { c15tInstance } from "@c15t/backend";
import { kyselyAdapter } from "@c15t/backend/db/adapters/kysely";
import { migrator } from "@c15t/backend/db/migrator";
import { DB } from "@c15t/backend/db/schema";
import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";

const { DATABASE_URL, POOL_MAX } = process.env;
const pool = new Pool({ connectionString: DATABASE_URL, max: Number(POOL_MAX) });
const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
const adapter = kyselyAdapter({ db, provider: "postgresql" });
const migration = await migrator({ db: DB.client(adapter), schema: "latest" });
await migration.execute();

const { handler } = c15tInstance({
  adapter,
  trustedOrigins: ["shop.example"],
  // Fastest configuration: logs errors only, and no geolocation.
  logger: { level: "error" },
  disableGeoLocation: true,
});
serve({ fetch: handler, hostname: "127.0.0.1", port: 0 }, ({ address, port }) => {
  process.send?.(`http://${address}:${port}`);
});
for (const name of ["SIGTERM", "SIGINT", "disconnect"]) process.on(name, () => process.exit(0));

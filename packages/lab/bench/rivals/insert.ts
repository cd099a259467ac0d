// The usual design: a Fastify route that validates a consent's body, inserts one row for it and responds
// after the commit. Runs as a separate process with DATABASE_URL; sends its URL to the parent.
import { randomBytes } from "node:crypto";
import Fastify from "fastify";
import { Pool } from "pg";
import { Type } from "typebox";
import { v7 } from "uuid";
import { ConsentIn } from "@avow/contract/consents";
import { INSTANT_FORMAT, parseInstants } from "@avow/contract/instants";

const POOL_MAX = 10;
const pool = new Pool({ connectionString: process.env["DATABASE_URL"], max: POOL_MAX });
await pool.query(`
  CREATE TABLE records (
    id uuid PRIMARY KEY,
    token text COLLATE "C" NOT NULL,
    accept boolean NOT NULL,
    preferences jsonb,
    language text,
    url text,
    idempotency_key text COLLATE "C",
    created_at timestamptz NOT NULL
  )`);

const insert = {
  name: "insert",
  text: `INSERT INTO records (id, token, accept, preferences, language, url, idempotency_key, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
};
const ConsentOut = Type.Object({
  consentId: Type.String(),
  token: Type.String(),
  accept: Type.Boolean(),
});

// The one format of the schema that Fastify does not know.
const formats = { [INSTANT_FORMAT]: (text: string) => parseInstants(text) !== undefined };
const http = Fastify({ ajv: { customOptions: { formats } } });
const schema = { body: ConsentIn, response: { 201: ConsentOut } };
http.post<{ Body: ConsentIn }>("/consents", { schema }, async (req, reply) => {
  const { accept, preferences, language, url: page } = req.body;
  const { token = randomBytes(16).toString("base64url") } = req.body;
  const id = v7();
  const key = req.headers["idempotency-key"];
  const values = [id, token, accept, JSON.stringify(preferences), language, page, key, new Date()];
  await pool.query({ ...insert, values });
  void reply.code(201);
  return { consentId: id, token, accept };
});
const url = await http.listen({ host: "127.0.0.1", port: 0 });
for (const name of ["SIGTERM", "SIGINT", "disconnect"]) process.on(name, () => process.exit(0));
process.send?.(url);

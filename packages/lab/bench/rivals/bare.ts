// The baseline: a Fastify route that only validates a consent's body. Runs as a separate process; sends its
// URL to the parent.
import Fastify from "fastify";
import { Type } from "typebox";
import { ConsentIn } from "@avow/contract/consents";
import { INSTANT_FORMAT, parseInstants } from "@avow/contract/instants";

// The one format of the schema that Fastify does not know.
const formats = { [INSTANT_FORMAT]: (text: string) => parseInstants(text) !== undefined };
const http = Fastify({ ajv: { customOptions: { formats } } });
const schema = { body: ConsentIn, response: { 201: Type.Object({ accept: Type.Boolean() }) } };
http.post<{ Body: ConsentIn }>("/consents", { schema }, async (req, reply) => {
  void reply.code(201);
  return { accept: req.body.accept };
});
const url = await http.listen({ host: "127.0.0.1", port: 0 });
for (const name of ["SIGTERM", "SIGINT", "disconnect"]) process.on(name, () => process.exit(0));
process.send?.(url);

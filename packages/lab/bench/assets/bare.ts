// The baseline: a Fastify route that returns as many bytes from memory as a render has. Runs as a separate
// process with BYTES; sends its URL to the parent.
import Fastify from "fastify";

const bytes = Buffer.alloc(Number(process.env["BYTES"]), 7);
const http = Fastify();
http.get("/picture", async (_req, reply) => reply.type("image/webp").send(bytes));
const url = await http.listen({ host: "127.0.0.1", port: 0 });
for (const name of ["SIGTERM", "SIGINT", "disconnect"]) process.on(name, () => process.exit(0));
process.send?.(url);

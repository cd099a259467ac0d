// The measure of things: a Fastify route that answers bytes out of memory, as many as a render has. Run
// as a process of its own with BYTES; tells its address to the parent.
import Fastify from "fastify";

const bytes = Buffer.alloc(Number(process.env["BYTES"]), 7);
const http = Fastify();
http.get("/picture", async (_req, reply) => reply.type("image/webp").send(bytes));
const url = await http.listen({ host: "127.0.0.1", port: 0 });
for (const name of ["SIGTERM", "SIGINT", "disconnect"]) process.on(name, () => process.exit(0));
process.send?.(url);

import Fastify from "fastify";
import { headers, readConsent } from "./consent.js";
import { renderPage } from "./page.js";

const app = Fastify();

app.get("/", async (request, reply) => {
  const consent = await readConsent(request);
  return reply.headers(headers).send(renderPage(consent));
});

await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });

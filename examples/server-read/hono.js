import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { headers, readConsent } from "./consent.js";
import { renderPage } from "./page.js";

const app = new Hono();

app.get("/", async (context) => {
  const consent = await readConsent(context.req.raw);
  return context.body(renderPage(consent), 200, headers);
});

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: "127.0.0.1" });

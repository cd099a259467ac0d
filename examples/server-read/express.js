import express from "express";
import { headers, readConsent } from "./consent.js";
import { renderPage } from "./page.js";

const app = express();

app.get("/", async (request, response) => {
  const consent = await readConsent(request);
  response.set(headers).send(renderPage(consent));
});

app.listen(Number(process.env.PORT), "127.0.0.1");

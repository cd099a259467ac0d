import { createServer } from "node:http";
import { headers, readConsent } from "./consent.js";
import { renderPage } from "./page.js";

async function answer(request, response) {
  try {
    const consent = await readConsent(request);
    response.writeHead(200, headers).end(renderPage(consent));
  } catch (error) {
    console.error(error);
    response.writeHead(503).end();
  }
}

createServer((request, response) => void answer(request, response)).listen(
  Number(process.env.PORT),
  "127.0.0.1",
);

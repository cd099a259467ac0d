// The baseline: an HTTP server of Node that answers with the file and headers of SOURCE, which it reads once. Runs as a
// separate process; sends its URL to the parent.
import { once } from "node:events";
import { type IncomingMessage, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

const ofConnection = new Set(["connection", "keep-alive", "date", "transfer-encoding"]);

const asked = request(process.env["SOURCE"] ?? "", { headers: { "accept-encoding": "gzip" } });
asked.end();
const [answer] = (await once(asked, "response")) as [IncomingMessage];
const bytes = Buffer.concat(await answer.toArray());
const headers = Object.fromEntries(
  Object.entries(answer.headers).filter(([name]) => !ofConnection.has(name)),
);
const { "content-length": _, ...known } = headers;
const server = createServer((req, res) => {
  if (req.headers["if-none-match"] === headers["etag"]) res.writeHead(304, known).end();
  else res.writeHead(200, headers).end(bytes);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
for (const name of ["SIGTERM", "SIGINT", "disconnect"]) process.on(name, () => process.exit(0));
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A webhook receiver of the shop, which sometimes returns errors. */
export async function openReceiver(): Promise<AsyncDisposable & { url: string }> {
  let count = 0;
  const server = createServer((req, res) => {
    count += 1;
    const isBusy = count % 4 === 2;
    req.resume();
    req.once("end", () => {
      res.writeHead(isBusy ? 500 : 200, { "content-type": "text/plain" });
      res.end(isBusy ? "The database is being restarted." : "thanks");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/avow`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

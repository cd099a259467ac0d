import { Agent, type IncomingMessage, type ServerResponse, createServer, request } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

/** A reverse proxy with a connection for each request, so that requests are spread over the workers behind it. */
export interface Spreader {
  url: string;
  /** Sets the address that requests are sent to. */
  forwardTo(address: string): void;
}

/** Opens a proxy for one test; its address is known before that of the service. */
export async function openSpreader(t: TestContext): Promise<Spreader> {
  const agent = new Agent({ keepAlive: false });
  let target = "";
  const forward = (req: IncomingMessage, res: ServerResponse): void => {
    const { method = "GET", headers } = req;
    const forwarded = request(target + (req.url ?? "/"), { agent, method, headers });
    forwarded.once("response", (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(res);
    });
    forwarded.once("error", () => res.destroy());
    req.pipe(forwarded);
  };
  const server = createServer(forward).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    forwardTo: (address) => void (target = address),
  };
}

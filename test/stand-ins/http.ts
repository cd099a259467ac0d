import { once } from "node:events";
import { type RequestListener, createServer } from "node:http";

/** A test's own server, on a free port of the loopback address. */
export interface StandIn extends AsyncDisposable {
  /** Without a trailing slash. */
  url: string;
}

/** Starts a server; disposing closes its connections. */
export async function openStandIn(listener: RequestListener): Promise<StandIn> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

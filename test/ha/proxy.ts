// A TCP proxy on the loopback address that can stop forwarding, as a network that drops all packets.
import { once } from "node:events";
import { type AddressInfo, type Socket, connect, createServer } from "node:net";

export interface Proxy extends AsyncDisposable {
  port: number;
  /** Stops forwarding in both directions; connections stay open. */
  cut(): void;
  /** Forwards again, also the bytes that were held back. */
  heal(): void;
}

/** Opens a proxy to `targetPort`, which need not be open yet. */
export async function openProxy(targetPort: number): Promise<Proxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isCut = false;
  const forward = (pair: readonly [Socket, Socket]): void => {
    for (const socket of pair) socket.resume();
  };
  const server = createServer({ pauseOnConnect: true }, (near) => {
    const far = connect(targetPort, "127.0.0.1");
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.pause();
      from.on("data", (chunk) => void to.write(chunk));
      from.on("end", () => to.end());
      from.on("error", () => to.destroy());
      from.on("close", () => {
        to.destroy();
        pairs.delete(pair);
      });
      // A listener of data resumes the socket.
      from.pause();
    }
    if (!isCut) forward(pair);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      for (const pair of pairs) for (const socket of pair) socket.pause();
    },
    heal() {
      isCut = false;
      for (const pair of pairs) forward(pair);
    },
    async [Symbol.asyncDispose]() {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

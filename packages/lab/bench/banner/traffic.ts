import type { CDPSession } from "playwright-core";

/** A request as the browser made it, and what came back of it. */
export interface Exchange {
  url: string;
  method: string;
  /** Whether it is the page itself. */
  isPage: boolean;
  sentMs: number;
  /** When its answer was whole; undefined until then. */
  endedMs?: number;
  /** The body as it came over the wire, compressed. */
  bodyBytes: number;
  /** The same with the answer's headers. */
  bytes: number;
  /** The body that was sent. */
  sentBytes: number;
}

/**
 * Listens to everything that a page asks for over the network from now on, with gzip as the only content
 * coding, so that all are measured alike.
 */
export async function listen(session: CDPSession): Promise<Exchange[]> {
  const exchanges = new Map<string, Exchange>();
  const all: Exchange[] = [];
  session.on("Network.requestWillBeSent", ({ requestId, request, type, timestamp }) => {
    if (!request.url.startsWith("http")) return;
    const exchange: Exchange = {
      url: request.url,
      method: request.method,
      isPage: type === "Document",
      sentMs: timestamp * 1_000,
      bodyBytes: 0,
      bytes: 0,
      sentBytes: Buffer.byteLength(request.postData ?? ""),
    };
    exchanges.set(requestId, exchange);
    all.push(exchange);
  });
  session.on("Network.responseReceived", ({ requestId, response }) => {
    const exchange = exchanges.get(requestId);
    // So far only the headers have come.
    if (exchange) exchange.bodyBytes = -response.encodedDataLength;
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength, timestamp }) => {
    const exchange = exchanges.get(requestId);
    if (!exchange) return;
    exchange.bytes = encodedDataLength;
    exchange.bodyBytes += encodedDataLength;
    exchange.endedMs = timestamp * 1_000;
  });
  await session.send("Network.enable");
  await session.send("Network.setExtraHTTPHeaders", { headers: { "accept-encoding": "gzip" } });
  return all;
}

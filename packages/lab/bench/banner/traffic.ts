import type { CDPSession } from "playwright-core";

/** A request of the browser, with its response. */
export interface Exchange {
  url: string;
  method: string;
  /** Whether it is the page itself. */
  isPage: boolean;
  sentMs: number;
  /** The time of the complete response; undefined until then. */
  endedMs?: number;
  /** Size of the response's body as transferred, compressed. */
  bodyBytes: number;
  /** The same with the headers of the response. */
  bytes: number;
  /** Size of the request's body. */
  sentBytes: number;
}

/**
 * Records all network requests of a page from now on, with gzip as the only content coding, so that all
 * banners are measured alike.
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
    // Only the headers have arrived.
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

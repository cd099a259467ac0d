import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  createServer,
  request as requestPlain,
} from "node:http";
import { type Socket, connect } from "node:net";
import type { Duplex } from "node:stream";
import { ForbiddenAddressError } from "./errors.ts";

/** IP addresses to connect to, tried in order, and never names. */
interface Target {
  addresses: readonly string[];
  port: number;
}

/**
 * Resolves the host and port of a request to the addresses that may be connected to.
 * @throws ForbiddenAddressError for an address that may not be contacted
 */
export type Resolve = (host: string, port: number) => Promise<Target>;

interface ProxyOptions {
  resolve: Resolve;
  /** Maximum number of bytes from all servers. */
  bytesMax: number;
  /** Called once when `bytesMax` is exceeded; all connections are closed by then. */
  onExceeded: () => void;
}

/** The only way of Chromium to the network. */
export interface ScanProxy extends AsyncDisposable {
  server: string;
  username: string;
  password: string;
  bytes: () => number;
  /** Hosts that were connected to since the last call. */
  takeHosts: () => string[];
  /** Hosts whose address was forbidden. */
  blockedHosts: () => string[];
}

const CONNECT_MS = 10_000;
const IDLE_MS = 30_000;
const ADDRESSES_MAX = 4;
const SOCKETS_MAX = 256;
const HOSTS_MAX = 1_000;
const HTTP_PORT = 80;
const FORBIDDEN = 403;
const BAD_GATEWAY = 502;
const PROXY_AUTHENTICATION_REQUIRED = 407;

/** Headers of one connection (RFC 9110 section 7.6.1), and the proxy's own. */
const hopHeaders = [
  "connection",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/**
 * Opens a forward proxy on a loopback port. It resolves each name once and connects to the resolved address, which
 * prevents DNS rebinding. Its random password keeps other programs of the machine out.
 */
export async function openProxy(options: ProxyOptions): Promise<ScanProxy> {
  const username = "scan";
  const password = randomBytes(24).toString("base64url");
  const expected = Buffer.from(
    `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
  );
  const sockets = new Set<Socket>();
  const hosts = new Set<string>();
  const blocked = new Set<string>();
  let bytes = 0;
  let isExceeded = false;

  const isKnown = ({ headers }: IncomingMessage): boolean => {
    const given = Buffer.from(headers["proxy-authorization"] ?? "");
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= options.bytesMax || isExceeded) return;
    isExceeded = true;
    for (const socket of sockets) socket.destroy();
    options.onExceeded();
  };
  const open = async (host: string, port: number): Promise<Socket> => {
    if (isExceeded || sockets.size >= SOCKETS_MAX) throw new Error("The proxy is at its limit.");
    try {
      const target = await options.resolve(host, port);
      if (hosts.size < HOSTS_MAX) hosts.add(host);
      return await connectTo(target, sockets);
    } catch (error) {
      if (error instanceof ForbiddenAddressError && blocked.size < HOSTS_MAX) blocked.add(host);
      throw error;
    }
  };

  const server = createServer((request, response) => {
    if (!isKnown(request)) return refuse(response);
    void forward(request, response, { open, count }).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(toStatus(error)).end();
    });
  });
  server.on("connect", (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on("error", () => client.destroy());
    if (!isKnown(request)) {
      client.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="scan"\r\nContent-Length: 0\r\n\r\n',
      );
      return;
    }
    void tunnel(request, { client, head, open, count }).catch((error: unknown) => {
      client.end(`HTTP/1.1 ${toStatus(error)} Failed\r\nContent-Length: 0\r\n\r\n`);
    });
  });
  server.on("clientError", (_error, socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return {
    server: `http://127.0.0.1:${address.port}`,
    username,
    password,
    bytes: () => bytes,
    takeHosts() {
      const taken = [...hosts];
      hosts.clear();
      return taken;
    },
    blockedHosts: () => [...blocked],
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function refuse(response: ServerResponse): void {
  response
    .writeHead(PROXY_AUTHENTICATION_REQUIRED, { "proxy-authenticate": 'Basic realm="scan"' })
    .end();
}

const toStatus = (error: unknown): number =>
  error instanceof ForbiddenAddressError ? FORBIDDEN : BAD_GATEWAY;

interface Way {
  open: (host: string, port: number) => Promise<Socket>;
  count: (chunk: Buffer) => void;
}

/** Forwards a request of plain HTTP, whose target is an absolute URL (RFC 9112 section 3.2.2). */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { open, count }: Way,
): Promise<void> {
  const url = new URL(request.url ?? "");
  if (url.protocol !== "http:") throw new Error("Only http: is forwarded.");
  const socket = await open(toHost(url), url.port === "" ? HTTP_PORT : Number(url.port));
  const headers: OutgoingHttpHeaders = { ...request.headers, connection: "close" };
  for (const name of hopHeaders) if (name !== "connection") delete headers[name];
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = requestPlain(
    {
      createConnection: () => socket,
      method: request.method,
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host },
    },
    resolve,
  );
  sent.on("error", reject);
  response.once("close", () => socket.destroy());
  request.pipe(sent);
  const answer = await promise;
  answer.on("error", () => response.destroy());
  answer.on("data", count);
  const back: OutgoingHttpHeaders = { ...answer.headers };
  for (const name of hopHeaders) delete back[name];
  response.writeHead(answer.statusCode ?? BAD_GATEWAY, back);
  answer.pipe(response);
}

/** Connects a client with a server: TLS and WebSockets, of which nothing is read. */
async function tunnel(
  request: IncomingMessage,
  { client, head, open, count }: Way & { client: Duplex; head: Buffer },
): Promise<void> {
  const url = new URL(`http://${request.url ?? ""}`);
  const port = Number(/:(\d+)$/.exec(request.url ?? "")?.[1] ?? HTTP_PORT);
  const server = await open(toHost(url), port);
  client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
  if (head.length > 0) server.write(head);
  server.on("data", count);
  server.once("close", () => client.destroy());
  client.once("close", () => server.destroy());
  client.pipe(server);
  server.pipe(client);
}

const toHost = (url: URL): string => url.hostname.replaceAll(/^\[|\]$/g, "");

/** Connects to the first address that accepts; some may be of a family that this machine cannot reach. */
async function connectTo({ addresses, port }: Target, sockets: Set<Socket>): Promise<Socket> {
  let reason: unknown = new Error("There is no address.");
  for (const address of addresses.slice(0, ADDRESSES_MAX))
    try {
      return await connectToOne(address, port, sockets);
    } catch (error) {
      reason = error;
    }
  throw reason;
}

async function connectToOne(address: string, port: number, sockets: Set<Socket>): Promise<Socket> {
  const socket = connect({ host: address, port });
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  const timer = setTimeout(() => socket.destroy(new Error("Connecting timed out.")), CONNECT_MS);
  try {
    await once(socket, "connect");
  } finally {
    clearTimeout(timer);
  }
  // Errors after this close both sides.
  socket.on("error", () => socket.destroy());
  return socket;
}

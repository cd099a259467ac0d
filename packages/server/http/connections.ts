import { Server, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Http } from "./http.ts";

/** Time in which connections are accepted, but their requests wait, so that their clients do not connect again. */
const ACCEPT_MS = 50;
/** Time in which requests on open connections are still answered, each as the last of its connection. */
const GRACE_MS = 500;
/** Time for clients to close their side of an idle connection. */
const LINGER_MS = 500;
/** Maximum wait for other processes that also shut down. */
const PEERS_MS = 1_000;
const POLL_MS = 20;

/**
 * Closes connections in order at shutdown. A connection that is destroyed while a request is on its way, or before it was
 * accepted, is reset, and the client cannot know whether its request was processed. So new requests wait while the last
 * connections are accepted, then the port is closed, and requests on open connections are answered for a grace period;
 * then idle connections are half-closed, so that clients read the end and close their side. `awaitPortClosed` waits for
 * other processes that accept connections on the same port.
 */
export function drainAtClose(http: Http, awaitPortClosed = () => Promise.resolve()): Draining {
  const { server } = http;
  http.decorate("isHandedOver", false);
  const open = new Set<Socket>();
  /** Bytes that idle connections have received; one that has received more is sending a request. */
  const idle = new Map<Socket, number>();
  server.on("connection", (socket) => {
    open.add(socket);
    idle.set(socket, 0);
    socket.once("close", () => {
      open.delete(socket);
      idle.delete(socket);
    });
  });
  const listIdle = (): Socket[] =>
    [...idle].flatMap(([socket, bytes]) => (socket.bytesRead === bytes ? [socket] : []));

  const waiting: (() => void)[] = [];
  let isPortClosed = false;
  let isStopping = false;
  http.addHook("preClose", async () => {
    isStopping = true;
    await delay(ACCEPT_MS);
    Server.prototype.close.call(server);
    if (!http.isHandedOver) await Promise.race([awaitPortClosed(), delay(PEERS_MS)]);
    isPortClosed = true;
    for (const proceed of waiting.splice(0)) proceed();
    await waitWhile(() => open.size > 0, GRACE_MS);
    for (const socket of listIdle()) socket.end();
    await waitWhile(() => listIdle().length > 0, LINGER_MS);
    const timer = setInterval(() => server.closeIdleConnections(), POLL_MS);
    server.once("close", () => clearInterval(timer));
  });
  return {
    noteRequest: ({ socket }) => void idle.delete(socket),
    noteResponse({ socket }) {
      if (open.has(socket)) idle.set(socket, socket.bytesRead);
    },
    isStopping: () => isStopping,
    isRejecting: () => isStopping && !http.isHandedOver,
    awaitPortClosed(proceed) {
      if (isPortClosed) proceed();
      else waiting.push(proceed);
    },
  };
}

interface Draining {
  /** To be called when a request arrives. */
  noteRequest(request: { socket: Socket }): void;
  /** To be called when its response has been sent. */
  noteResponse(request: { socket: Socket }): void;
  /** Whether connections are closed after their next response. */
  isStopping(): boolean;
  /** Whether new requests are rejected. */
  isRejecting(): boolean;
  /** Calls `proceed` when the port is closed. A callback, since hooks of requests have them. */
  awaitPortClosed(proceed: () => void): void;
}

async function waitWhile(isTrue: () => boolean, timeoutMs: number): Promise<void> {
  const until = performance.now() + timeoutMs;
  while (isTrue() && performance.now() < until) await delay(POLL_MS);
}

import type { Socket } from "node:net";
import { answerClientError } from "./errors/client-errors.ts";
import type { Http } from "./http.ts";

/** Exempts the bodies of routes with `body: "stream"` from the request timeout. */
export interface Uploads {
  register: (http: Http) => void;
  /** Answers malformed requests; ignores the request timeout of an upload. */
  answerClientError: (error: Error & { code?: string }, socket: Socket) => void;
}

/** Opens the uploads of a server. A stalled upload ends by the server's `connectionTimeout`. */
export function openUploads(): Uploads {
  const sockets = new WeakSet<Socket>();
  return {
    register(http) {
      http.addHook("onRoute", (route) => {
        if (route.config?.body !== "stream") return;
        route.onRequest = [
          ...[route.onRequest ?? []].flat(),
          (req, _reply, done) => {
            sockets.add(req.raw.socket);
            done();
          },
        ];
        route.onResponse = [
          ...[route.onResponse ?? []].flat(),
          (req, _reply, done) => {
            sockets.delete(req.raw.socket);
            done();
          },
        ];
      });
    },
    answerClientError(error, socket) {
      if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && sockets.has(socket)) return;
      answerClientError(error, socket);
    },
  };
}

import type { Socket } from "node:net";
import { answerClientError } from "./errors/client-errors.ts";
import type { Http } from "./http.ts";

/** What lets the bodies of routes with `body: "stream"` take their time. */
export interface Uploads {
  register: (http: Http) => void;
  /** Answers what is no request; an upload that takes longer than other requests may goes on. */
  answerClientError: (error: Error & { code?: string }, socket: Socket) => void;
}

/** Opens the uploads of a server. One that stands still ends by the server's `connectionTimeout`. */
export function openUploads(): Uploads {
  const sockets = new WeakSet<Socket>();
  return {
    register(http) {
      http.addHook("onRequest", (req, _reply, done) => {
        if (req.routeOptions.config.body === "stream") sockets.add(req.raw.socket);
        else sockets.delete(req.raw.socket);
        done();
      });
    },
    answerClientError(error, socket) {
      if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && sockets.has(socket)) return;
      answerClientError(error, socket);
    },
  };
}

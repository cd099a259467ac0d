import { once } from "node:events";
import {
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  createServer as createPlain,
} from "node:http";
import { createServer as createSecure } from "node:https";
import { type Socket, createServer } from "node:net";
import { newCertificate } from "./certificate.ts";

/** A port that answers for every vendor's host, over TLS and without. */
export interface Vendors extends AsyncDisposable {
  port: number;
  /** Hosts and paths that were requested, each once. */
  requested: Set<string>;
}

/** Answers of real vendors, reduced to what a browser stores and contacts. */
const answers: Readonly<Record<string, (response: ServerResponse, path: string) => void>> = {
  "www.google-analytics.com": (response, path) => {
    if (path !== "/analytics.js") response.writeHead(204).end();
    else
      sendScript(
        response,
        `document.cookie = "_ga=GA1.1.1.1; max-age=63072000; path=/";
       document.cookie = "_gid=GA1.1.2.2; max-age=86400; path=/";
       navigator.sendBeacon("https://www.google-analytics.com/j/collect?cid=1.1");`,
      );
  },
  "maps.googleapis.com": (response) =>
    sendScript(
      response,
      `window.google = { maps: { LatLng: function () {}, Map: function () {}, Marker: function () { this.setMap = function () {}; } } };
       new Image().src = "https://maps.gstatic.com/mapfiles/transparent.png";`,
    ),
  "fingerprints.example": (response) =>
    sendScript(
      response,
      `const pen = document.createElement("canvas").getContext("2d");
       for (let n = 0; n < 60; n += 1) { pen.font = "12px f" + n; pen.measureText("abc"); }
       pen.getImageData(0, 0, 1, 1);
       navigator.plugins.length; navigator.hardwareConcurrency;
       new OfflineAudioContext(1, 44100, 44100).startRendering();`,
    ),
  "fonts.googleapis.com": (response) => {
    response.setHeader("content-type", "text/css");
    response.end(
      "@font-face { font-family: Lato; src: url(https://fonts.gstatic.com/s/lato/v24/a.woff2) }",
    );
  },
};

function sendScript(response: ServerResponse, text: string): void {
  response.setHeader("content-type", "text/javascript");
  response.end(text);
}

/** Undefined without openssl. */
export async function openVendors(): Promise<Vendors | undefined> {
  const certificate = await newCertificate("127.0.0.1");
  if (!certificate) return undefined;
  const requested = new Set<string>();
  const listener: RequestListener = (request: IncomingMessage, response) => {
    const host = request.headers.host?.replace(/:\d+$/, "") ?? "";
    const path = new URL(request.url ?? "", "http://vendor.example").pathname;
    requested.add(`${host}${path}`);
    response.setHeader("access-control-allow-origin", "*");
    const answer = answers[host];
    if (answer) answer(response, path);
    else sendScript(response, "");
  };
  const secure = createSecure(certificate, listener);
  const plain = createPlain(listener);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).once("close", () => sockets.delete(socket));
    // A TLS connection begins with a handshake record (RFC 8446 section 5.1).
    socket.once("readable", () => {
      const first: Buffer | null = socket.read(1);
      if (!first) return;
      socket.unshift(first);
      (first[0] === 0x16 ? secure : plain).emit("connection", socket);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    requested,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { service } from "../harness.ts";
import { poll } from "../poll.ts";

/** A reader that sends a request and then reads only on demand. */
export async function openRawReader(
  path: string,
  { token, accept = "*/*" }: { token: string; accept?: string },
): Promise<Socket> {
  const { hostname: host, port } = new URL(service.url);
  const socket = connect({ host, port: Number(port) });
  await once(socket, "connect");
  socket.on("error", () => undefined);
  socket.pause();
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nAccept: ${accept}\r\n\r\n`,
  );
  return socket;
}

/** The head of the response to a raw reader. */
export async function readHead(socket: Socket): Promise<string> {
  socket.resume();
  const [bytes] = (await once(socket, "data")) as [Buffer];
  socket.pause();
  return bytes.toString("latin1").split("\r\n\r\n", 1)[0] ?? "";
}

/** Waits until `condition` returns true, a minute at most. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  const toMessage = () => "timed out";
  await poll({ read: condition, isRight: Boolean, waitMs: 60_000, toMessage });
}

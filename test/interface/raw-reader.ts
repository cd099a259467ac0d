import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { service } from "../harness.ts";
import { poll } from "../poll.ts";

/** A reader that asks for something and then takes only what it is told to. */
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

/** The head of the answer that a raw reader gets. */
export async function readHead(socket: Socket): Promise<string> {
  socket.resume();
  const [bytes] = (await once(socket, "data")) as [Buffer];
  socket.pause();
  return bytes.toString("latin1").split("\r\n\r\n", 1)[0] ?? "";
}

/** Waits until `isSo` answers true, for ten seconds. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const say = () => "it did not come to be in time";
  await poll({ read: isSo, isRight: Boolean, waitMs: 60_000, say });
}

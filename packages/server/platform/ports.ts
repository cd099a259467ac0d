import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { codeOf } from "./errors.ts";
import { StartError } from "./start-error.ts";

const meanings: Record<string, string> = {
  EADDRINUSE: "is in use. Set PORT to another port, or to 0 for any free one.",
  EACCES: "requires more permissions. Set PORT to 1024 or more.",
  EADDRNOTAVAIL: "is not an address of this machine. Set HOST to an address of this machine.",
  ENOTFOUND: "is an unknown name. Set HOST to an address of this machine.",
};

interface Place {
  host: string;
  port: number;
}

interface Listener {
  listen(place: Place): Promise<string>;
}

/** Returns the address, such as http://127.0.0.1:8080. */
export async function listen(listener: Listener, place: Place): Promise<string> {
  try {
    return await listener.listen({ host: place.host, port: place.port });
  } catch (error) {
    throw toStartError(error, place);
  }
}

/** A port that is free at the moment, for PORT=0. */
export function findFreePort(host: string): Promise<number> {
  return tryPort({ host, port: 0 });
}

/** Throws when the port cannot be opened now. `listen` throws if it is taken later. */
export async function assertPortFree(place: Place): Promise<void> {
  await tryPort(place);
}

/** Opens and closes the port; returns it. */
async function tryPort({ host, port }: Place): Promise<number> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  } catch (error) {
    throw toStartError(error, { host, port });
  } finally {
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  }
}

function toStartError(error: unknown, { host, port }: Place): unknown {
  const code = codeOf(error);
  const meaning = meanings[code];
  if (meaning === undefined) return error;
  const subject = code === "EADDRINUSE" || code === "EACCES" ? `Port ${port} on ${host}` : host;
  return new StartError(`${subject} ${meaning}`, { cause: error });
}

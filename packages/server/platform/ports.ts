import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { codeOf } from "./errors.ts";
import { StartError } from "./start-error.ts";

const meanings: Record<string, string> = {
  EADDRINUSE: "is in use. Set PORT to another one, or to 0 for any that is free.",
  EACCES: "needs more rights. Set PORT to one of 1024 or more.",
  EADDRNOTAVAIL: "is not an address of this machine. Set HOST to one that is.",
  ENOTFOUND: "is not a known name. Set HOST to an address of this machine.",
};

interface Place {
  host: string;
  port: number;
}

interface Listener {
  listen(place: Place): Promise<string>;
}

/** Listens at `place`; answers the address, such as http://127.0.0.1:8080. */
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

/** Throws when nobody could listen at `place` now; what takes it later is told by `listen`. */
export async function assertPortFree(place: Place): Promise<void> {
  await tryPort(place);
}

/** Listens at `place` for a moment; answers the port. */
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

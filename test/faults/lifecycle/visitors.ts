import { type Socket, connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** The end of a connection: after an answer with `Connection: close`, by a FIN, or by a reset. */
interface ConnectionEnd {
  /** A request was sent, and no answer to it arrived. */
  isUnanswered: boolean;
  isReset: boolean;
}

export interface Visit {
  /** Fulfilled at the first answer. */
  answered: Promise<unknown>;
  end: Promise<ConnectionEnd>;
}

/** Sends one request after another over one connection, up to `pauseMsMax` apart, until the server closes it. */
export function startVisit(
  address: string,
  { request, pauseMsMax }: { request: string; pauseMsMax: number },
): Visit {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  const closed = new Promise<{ isReset: boolean }>((resolve) => {
    socket.once("error", () => resolve({ isReset: true }));
    socket.once("end", () => resolve({ isReset: false }));
  });
  const ask = async (): Promise<string | undefined> => {
    socket.write(request);
    return Promise.race([readAnswer(socket), closed.then(() => undefined)]);
  };
  const answered = ask();
  const run = async (): Promise<ConnectionEnd> => {
    let answer = await answered;
    let isOpen = true;
    void closed.then(() => (isOpen = false));
    while (answer !== undefined && !/^connection: close/im.test(answer)) {
      await Promise.race([delay(Math.random() * pauseMsMax), closed]);
      if (!isOpen) break;
      answer = await ask();
    }
    const { isReset } = await closed;
    socket.destroy();
    return { isUnanswered: answer === undefined, isReset };
  };
  return { answered, end: run() };
}

/** Reads one answer with a Content-Length. */
function readAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const read = (chunk: Buffer): void => {
      text += chunk.toString("latin1");
      const head = text.indexOf("\r\n\r\n");
      const [, length] = /^content-length: (\d+)/im.exec(text) ?? [];
      if (head < 0 || text.length < head + 4 + Number(length)) return;
      socket.off("data", read);
      resolve(text);
    };
    socket.on("data", read);
  });
}

import { Agent, get } from "node:http";
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

/**
 * Sends one request after another as a client that keeps its connection, and connects again when the server closes it.
 * `end` is the code of the error that ends this.
 */
export function repeatRequests(address: string): {
  answered: Promise<unknown>;
  end: Promise<string>;
} {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = () =>
    new Promise<string | undefined>((resolve) => {
      const fail = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message);
      get(`${address}/health/live`, { agent }, (answer) => {
        answer
          .once("error", fail)
          .once("end", () => resolve(undefined))
          .resume();
      }).once("error", fail);
    });
  const answered = ask();
  const run = async (): Promise<string> => {
    let code = await answered;
    while (code === undefined) code = await ask();
    agent.destroy();
    return code;
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

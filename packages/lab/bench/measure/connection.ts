import { connect } from "node:net";

/** Size of the read buffer of a connection, which is the maximum size of a chunk. */
const BUFFER_BYTES = 64 * 1024;
const HEAD_END = "\r\n\r\n";

/** The outcome of one request; status 0 if the connection ended before the response, or the response was invalid. */
export interface Outcome {
  status: number;
  /** The complete response, for a report; valid until the next request. */
  text: () => string;
}

/** An HTTP/1.1 keep-alive connection, which sends one request at a time. */
export interface Connection extends Disposable {
  /** Sends a complete request; `onOutcome` is called once for it. */
  send: (request: string, onOutcome: (outcome: Outcome) => void) => void;
}

/**
 * Opens a connection to `url`. It parses only the end of a response and its status, because the load shares the cores with
 * the measured service. A request is ASCII.
 */
export async function openConnection(url: URL): Promise<Connection> {
  let waiting: ((outcome: Outcome) => void) | undefined;
  let isEnded = false;
  let pending: Buffer | undefined;
  const settle = (status: number, answer: Buffer): void => {
    const resolve = waiting;
    waiting = undefined;
    pending = undefined;
    resolve?.({ status, text: () => answer.toString("utf8") });
  };
  const take = (length: number, buffer: Uint8Array): boolean => {
    const part = Buffer.from(buffer.buffer, buffer.byteOffset, length);
    const answer = pending ? Buffer.concat([pending, part]) : part;
    const status = readStatus(answer);
    if (status === undefined) pending = pending ? answer : Buffer.from(part);
    else settle(status, answer);
    if (status === 0) socket.destroy();
    return true;
  };
  const { hostname: host, port } = url;
  const onread = { buffer: Buffer.allocUnsafe(BUFFER_BYTES), callback: take };
  const socket = connect({ host, port: Number(port), noDelay: true, onread });
  const end = (): void => {
    isEnded = true;
    settle(0, pending ?? Buffer.from("the connection ended before a response"));
  };
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve).once("error", reject);
  });
  socket.on("error", end).on("close", end);
  return {
    send: (request, onOutcome) => {
      waiting = onOutcome;
      if (isEnded) process.nextTick(end);
      else socket.write(request, "latin1");
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** The status of a complete response (RFC 9112); undefined while it is incomplete. */
function readStatus(answer: Buffer): number | undefined {
  const headEnd = answer.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = answer.toString("latin1", 0, headEnd);
  const status = Number(head.slice(9, 12));
  const bodyAt = headEnd + HEAD_END.length;
  if (status === 204 || status === 304) return status;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return answer.length >= bodyAt + Number(length) ? status : undefined;
  // The end of a response without a length cannot be detected.
  const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
  return isChunked ? readChunked(answer, { status, bodyAt }) : 0;
}

function readChunked(
  answer: Buffer,
  { status, bodyAt }: { status: number; bodyAt: number },
): number | undefined {
  for (let at = bodyAt; at < answer.length;) {
    const lineEnd = answer.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(answer.toString("latin1", at, lineEnd), 16);
    if (Number.isNaN(size)) return 0;
    // Optional trailers and an empty line follow the last chunk.
    if (size === 0) return answer.includes(HEAD_END, lineEnd) ? status : undefined;
    at = lineEnd + 2 + size + 2;
  }
  return undefined;
}

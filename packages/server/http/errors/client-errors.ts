import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { hrefOf, paths } from "@avow/contract/urls";
import { type ProblemOut, problems } from "./problems.ts";

const details: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "The request line and headers are too large.",
  ERR_HTTP_REQUEST_TIMEOUT: "The request did not arrive in time.",
};

/**
 * Answers bytes that cannot be parsed as a request with a problem (wire section 0), then closes the connection,
 * since the start of a next request is unknown.
 */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const name = error.code === "HPE_HEADER_OVERFLOW" ? "too-large" : "invalid";
  const { status, title } = problems[name];
  const detail = details[error.code ?? ""] ?? "This is not a valid HTTP request.";
  const type = hrefOf("", paths.problem, { name });
  const problem: ProblemOut = { type, title, status, detail, message: detail, instance: "" };
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "Content-Type: application/problem+json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    "Cache-Control: no-store",
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

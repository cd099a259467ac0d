import { type Agent, type IncomingHttpHeaders, request } from "node:http";

import { rememberExchange } from "../../log-leaks.ts";
import { runLog } from "../../run-log.ts";

const TIMEOUT_MS = 20_000;

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

interface Question {
  headers?: Record<string, string>;
  json?: unknown;
  agent?: Agent;
}

/** Sends one request; throws unless the whole answer arrives, though the request may have had its effect. */
export function ask(url: string, { headers, json, agent }: Question = {}): Promise<Answer> {
  const body = json === undefined ? undefined : JSON.stringify(json);
  return new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const sent = request(url, {
      method: body === undefined ? "GET" : "POST",
      headers: { ...type, ...headers },
      timeout: TIMEOUT_MS,
      ...(agent ? { agent } : {}),
    });
    sent.once("timeout", () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
    sent.once("error", reject);
    sent.once("response", (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      answer.once("error", reject);
      answer.once("end", () => {
        remember(url, { headers, json, text });
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
    });
    sent.end(body);
  });
}

/** Remembers the secrets in an exchange, to search the service's log for them. */
function remember(
  url: string,
  {
    headers,
    json,
    text,
  }: { headers: Question["headers"] | undefined; json: unknown; text: string },
): void {
  const { pathname: path } = new URL(url);
  const [, token] = /^Bearer (.+)$/.exec(headers?.["authorization"] ?? "") ?? [];
  const body: unknown = text.startsWith("{") ? JSON.parse(text) : undefined;
  rememberExchange(runLog, { path, json, token, body });
}

/** Returns the body of a successful answer; throws with the answer otherwise. */
export async function askJson<T>(url: string, question: Question = {}): Promise<T> {
  const { status, text } = await ask(url, question);
  if (status >= 200 && status < 300) return JSON.parse(text) as T;
  throw new Error(`${status} of ${url}: ${text}`);
}

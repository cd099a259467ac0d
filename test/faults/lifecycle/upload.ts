import { once } from "node:events";
import { request } from "node:http";
import { ada } from "./checks.ts";

/** A sign-up whose body is half sent; `end` sends the rest. */
export async function openUpload(url: string) {
  const body = JSON.stringify({ ...ada, username: "eve@example.org" });
  const headers = { "content-type": "application/json", "content-length": body.length };
  const sent = request(url, { method: "POST", headers: { ...headers, expect: "100-continue" } });
  const status = once(sent, "response").then(([answer]) => answer.statusCode as number);
  sent.flushHeaders();
  // The server has the request once it asks for the body.
  await once(sent, "continue");
  sent.write(body.slice(0, 10));
  return { status, end: () => void sent.end(body.slice(10)) };
}

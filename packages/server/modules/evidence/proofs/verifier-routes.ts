import { createHash } from "node:crypto";
import { paths } from "@avow/contract/urls";
import { isUnchanged } from "../../../http/files/etags.ts";
import type { Http } from "../../../http/http.ts";

/**
 * Serves the page that verifies proofs. Its policy, which allows its script and style by their hashes and no requests,
 * is also sent as a header, since only a header can forbid framing.
 */
export function registerVerifierRoute(http: Http, page: Buffer): void {
  const [, policy] =
    /<meta http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page.toString()) ?? [];
  if (policy === undefined) throw new Error("The verifier's page has no policy.");
  const headers = {
    "cache-control": "public, max-age=300",
    "content-security-policy": `${policy}; frame-ancestors 'none'`,
    "cross-origin-opener-policy": "same-origin",
  };
  const etag = `"${createHash("sha256").update(page).digest("base64url")}"`;
  const schema = {
    tags: ["files"],
    operationId: "getVerifier",
    summary: "Get the page that verifies proofs",
    description: "One HTML file that also works offline and sends nothing.",
  };
  http.get(paths.verifier, { config: { streamed: ["text/html"] }, schema }, async (req, reply) => {
    void reply.headers(headers);
    if (isUnchanged(req, reply, etag)) return reply.code(304).send();
    return reply.type("text/html; charset=utf-8").send(page);
  });
}

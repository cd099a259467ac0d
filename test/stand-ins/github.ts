import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { type StandIn, openStandIn } from "./http.ts";

/** The user who signs in, in the terms of GitHub's and Facebook's APIs. */
export interface Member {
  id: number;
  login: string;
  email: string;
  isVerified: boolean;
}

/**
 * Opens GitHub's and Facebook's sign-in by their documentation: authorization codes with PKCE, a token, and
 * the user's profile. Rejects a code with another challenge, client or redirect address.
 */
export function openGithub(member: () => Member): Promise<StandIn> {
  const codes = new Map<string, { challenge: string; redirectUri: string }>();
  const authorize = ({ searchParams }: URL, res: ServerResponse): void => {
    const code = `code-${codes.size}`;
    const redirectUri = searchParams.get("redirect_uri") ?? "";
    codes.set(code, { challenge: searchParams.get("code_challenge") ?? "", redirectUri });
    const back = new URL(redirectUri);
    back.searchParams.set("code", code);
    back.searchParams.set("state", searchParams.get("state") ?? "");
    res.writeHead(302, { location: back.href }).end();
  };
  const token = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await text(req));
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const verifier = createHash("sha256").update(form.get("code_verifier") ?? "");
    const isValid =
      code?.challenge === verifier.digest("base64url") &&
      code.redirectUri === form.get("redirect_uri") &&
      form.get("client_id") === "avow" &&
      form.get("client_secret") === "secret";
    const answer = isValid
      ? { access_token: "gho_token", token_type: "bearer", scope: "read:user,user:email" }
      : { error: "bad_verification_code" };
    res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  };
  const answerOf = (path: string): unknown => {
    const { id, login, email, isVerified } = member();
    const other = { email: "other@example.org", primary: false, verified: true };
    if (path === "/user") return { id, login, name: null };
    if (path === "/user/emails") return [other, { email, primary: true, verified: isVerified }];
    return { id: String(id), name: login, email };
  };
  return openStandIn((req, res) => {
    const url = new URL(req.url ?? "/", "http://stand-in");
    if (/\/(oauth\/authorize|dialog\/oauth)$/.test(url.pathname)) return authorize(url, res);
    if (url.pathname.endsWith("/access_token")) return void token(req, res);
    const isKnown = req.headers.authorization === "Bearer gho_token";
    res
      .writeHead(isKnown ? 200 : 401, { "content-type": "application/json" })
      .end(JSON.stringify(isKnown ? answerOf(url.pathname) : {}));
  });
}

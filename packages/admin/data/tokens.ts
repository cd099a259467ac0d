import { type AccessToken, listAccessTokens } from "@avow/client/operations";
import { send } from "../api/send.ts";

/** Maximum number of tokens; the newest come first. */
const TOKENS_MAX = 200;

/** The user's sessions or API keys. @throws Problem */
export async function readTokens(kind: "sessions" | "keys"): Promise<readonly AccessToken[]> {
  const all = await send(listAccessTokens, { query: { perPage: TOKENS_MAX } });
  return all.filter(({ scopes }) => (scopes === null) === (kind === "sessions"));
}

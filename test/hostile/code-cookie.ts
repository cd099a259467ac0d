import { toCodeCookie } from "../../packages/server/modules/auth/identities/handshake.ts";
import { openSealer } from "../../packages/server/platform/crypto/sealing.ts";
import { openSecretKey } from "../../packages/server/platform/crypto/secret-key.ts";
import { service } from "../harness.ts";

/** The cookie header of the browser in which the sign-in of this body's code began; none without a code. */
export async function cookieFor(json: unknown): Promise<{ cookie?: string }> {
  const code = (json as { code?: unknown } | null | undefined)?.code;
  if (typeof code !== "string") return {};
  const secret = await openSecretKey({ dataDir: service.config.dataDir, secretKey: undefined });
  const now = service.clock.now();
  const set = toCodeCookie(openSealer(secret, "mails"), {
    code,
    now,
    isSecure: false,
    seconds: 60,
  });
  return { cookie: set.split(";", 1)[0] ?? "" };
}

import type { Config } from "../../../config/config.ts";
import type { Actor } from "../../../kernel/actor.ts";
import type { Db } from "../../../platform/db/db.ts";
import { hashToken } from "../../../platform/crypto/tokens.ts";
import { openGroupReader } from "../../../platform/queues/groups.ts";
import { type FoundToken, findAccessToken, updateLastUse } from "./store.ts";

const USE_NOTED_EVERY_MS = 60_000;
/** Maximum number of concurrent writes of a use; others are recorded at a later request. */
const NOTING_MAX = 4;

export interface Authentication extends AsyncDisposable {
  /** Returns the user of a token at `now`; undefined when it is unknown, revoked, expired or idle for too long. */
  authenticate: (token: string, now: Date) => Promise<Actor | undefined>;
}

/**
 * Opens the lookup of access tokens: one query by hash, which concurrent requests with the same token share. The last use
 * of a token is recorded at most once a minute, in the background; disposing waits for these writes.
 */
export function openAuthentication({
  db,
  log,
  config: {
    sessionIdleMs = Infinity,
    passwords: { isFactorRequired },
  },
}: {
  db: Db;
  config: Pick<Config, "sessionIdleMs"> & { passwords: { isFactorRequired: boolean } };
  log: { error(fields: object, message: string): void };
}): Authentication {
  const noting = new Map<string, Promise<void>>();
  const noteUse = (tokenId: string, now: Date): void => {
    if (noting.size >= NOTING_MAX || noting.has(tokenId)) return;
    const before = new Date(now.getTime() - USE_NOTED_EVERY_MS);
    const noted = updateLastUse(db, { tokenId, now, before })
      .catch((error: unknown) => log.error({ err: error }, "last token use not recorded"))
      .finally(() => noting.delete(tokenId));
    noting.set(tokenId, noted);
  };
  const findToken = openGroupReader<{ token: string; now: Date }, FoundToken | undefined>({
    keyOf: ({ token }) => token,
    async read(requests) {
      const [{ token, now } = { token: "", now: new Date(0) }] = requests.slice(-1);
      const found = await findAccessToken(db, hashToken(token), now);
      return requests.map(() => found);
    },
  });
  return {
    async authenticate(token, now) {
      const found = await findToken({ token, now });
      if (!found) return undefined;
      const restedMs = now.getTime() - found.lastUsedAt.getTime();
      if (found.scopes === null && restedMs > sessionIdleMs) return undefined;
      if (restedMs >= USE_NOTED_EVERY_MS) noteUse(found.id, now);
      return {
        kind: "user",
        userId: found.userId,
        tokenId: found.id,
        scopes: found.scopes ?? undefined,
        projectId: found.projectId ?? undefined,
        lacksFactor: isFactorRequired && found.scopes === null && !found.hasFactor,
      };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(noting.values());
    },
  };
}

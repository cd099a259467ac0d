import type { DataDb, Planes } from "../../../platform/db/db.ts";
import { timeOfId } from "../../../kernel/ids.ts";
import {
  type CursorPage,
  type CursorPlace,
  parseCursor,
  toCursor,
  toCursorPage,
} from "../../../kernel/page.ts";
import type { Offer, OfferKey } from "../offers/offer.ts";
import { listOffered } from "../offers/offered.ts";
import { listTokenRows } from "./tokens-store.ts";

interface CursorIn {
  limit: number;
  cursor?: string | undefined;
}

/** A token with at least one consent. */
export interface SeenToken {
  projectId: string;
  token: string;
  firstSeenAt: Date;
  lastSeenAt: Date;
  consents: number;
}

/** The tokens of a project that begin with `prefix`, in byte order. */
export async function listTokens(
  db: DataDb,
  { projectId, prefix }: { projectId: string; prefix: string },
  { limit, cursor }: CursorIn,
): Promise<CursorPage<SeenToken>> {
  const [after] = parseCursor(cursor, 1) ?? [];
  const bounds = { projectId, from: prefix, to: toPrefixEnd(prefix) };
  const rows = await listTokenRows(db, bounds, { limit: limit + 1, after });
  return toCursorPage(rows, limit, {
    keyOf: (row) => [row.token],
    toItem: (row) => ({
      projectId,
      token: row.token,
      firstSeenAt: row.first_seen_at,
      lastSeenAt: timeOfId(row.consent_id),
      consents: row.consents,
    }),
  });
}

/** The upper bound (exclusive) of the strings that begin with `prefix`, by code points, which is the order of UTF-8. */
export function toPrefixEnd(prefix: string): string | undefined {
  const points = Array.from(prefix, (char) => char.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    // Skips surrogates, which are not characters. After the last code point, increments the previous one.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    if (next <= 0x10ffff) return String.fromCodePoint(...points, next);
  }
  return undefined;
}

/** The name of an offer in the accepted list: its configuration's id, or `{configurationId}/{vendor}`. */
export function toAcceptedName(of: Pick<Offer, "identifier" | "item">): string {
  return of.item === "" ? of.identifier : `${of.identifier}/${of.item}`;
}

const firstOfferKey: OfferKey = { identifier: "", item: "" };

/** A page of the offers that the accepted list supports now: all except required vendors. */
export async function listAskable(
  planes: Planes,
  projectId: string,
  { limit, cursor }: CursorIn,
): Promise<CursorPage<Offer>> {
  const from = parseOfferKey(cursor);
  const { items, end } = await listOffered(planes, { projectId, from, limit: limit + 1 });
  const next = items[limit] ?? end;
  const asked = items.slice(0, limit).filter((offer) => !offer.required);
  return { items: asked, next: next && toOfferKeyCursor(next) };
}

/** The position at which a cursor continues; `source` describes the cursor's origin in errors. Throws `Fault` (invalid). */
export function parseOfferKey(cursor: string | undefined, source?: CursorPlace): OfferKey {
  const [identifier, item] = parseCursor(cursor, 2, source) ?? [];
  return identifier === undefined || item === undefined ? firstOfferKey : { identifier, item };
}

/** The cursor of a page that begins at this position. */
export function toOfferKeyCursor({ identifier, item }: OfferKey): string {
  return toCursor([identifier, item]);
}

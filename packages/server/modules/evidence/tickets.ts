import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import type { Impression } from "../consents/ports.ts";
import type { Display, Tickets } from "../consents/ports.ts";
import type { LogKeys } from "./log/keys.ts";
import type { NoteKey } from "./log/note.ts";

/** Validity of a ticket. */
export const TICKET_MS = 30 * 60_000;
/** Tolerated clock skew: the clock of the node that issued a ticket may be ahead of this one. */
const AHEAD_MAX_MS = 10_000;
const ID_BYTES = 16;
const MAC_BYTES = 32;
const KEY_INFO = "avow display ticket";
const FORMAT = "t1";
const ticketPattern = /^(t1\.([\w-]+))\.([\w-]{43})$/;

/**
 * Issues and verifies display tickets. A ticket is `t1.CONTENT.MAC`: base64url of the JSON array
 * `[projectId, version, origin, issuedMs, id]`, with `identifier, step, device` appended if the display was
 * counted, and of its HMAC-SHA256. The MAC key is derived (RFC 5869) from the log's newest signing key, which
 * every node has. Tickets of older keys stay valid.
 */
export function openTickets(keys: LogKeys): Tickets {
  let known: { keys: readonly NoteKey[]; secrets: readonly Buffer[] } = { keys: [], secrets: [] };
  /** Derives the secrets again only when the keys changed. */
  const readSecrets = async (): Promise<readonly Buffer[]> => {
    const now = await keys.read();
    if (now !== known.keys) known = { keys: now, secrets: now.map(toSecret) };
    return known.secrets;
  };
  return {
    async issue({ projectId, version, origin, now, shown }) {
      const [newest] = await readSecrets();
      if (!newest) throw new Error("There is no key to sign tickets with.");
      const id = randomBytes(ID_BYTES).toString("base64url");
      const counted = shown ? [shown.identifier, shown.step, shown.device] : [];
      const content = JSON.stringify([projectId, version, origin, now.getTime(), id, ...counted]);
      const signed = `${FORMAT}.${Buffer.from(content).toString("base64url")}`;
      const ticket = `${signed}.${toMac(newest, signed).toString("base64url")}`;
      return { ticket, expiresAt: new Date(now.getTime() + TICKET_MS) };
    },
    async check(ticket, { projectId, origin, now }) {
      const [, signed = "", content = "", mac = ""] = ticketPattern.exec(ticket) ?? [];
      if (!isSigned(await readSecrets(), signed, mac))
        return "was not issued by this service, or was altered";
      const given = parseContent(content);
      const ageMs = now.getTime() - given.display.displayedAt.getTime();
      if (given.projectId !== projectId) return "is for another project";
      if (origin !== undefined && origin !== given.origin) return "is for a page of another origin";
      if (ageMs < -AHEAD_MAX_MS) return "was issued in the future";
      if (ageMs >= TICKET_MS) return "has expired: tickets are valid for 30 minutes";
      return given.display;
    },
  };
}

/** Derives a secret of its own, so that tickets reveal nothing about the signing key. */
function toSecret({ name, privateKey }: NoteKey): Buffer {
  const { d = "" } = privateKey.export({ format: "jwk" });
  const seed = Buffer.from(d, "base64url");
  return Buffer.from(hkdfSync("sha256", seed, name, KEY_INFO, MAC_BYTES));
}

function toMac(secret: Buffer, signed: string): Buffer {
  return createHmac("sha256", secret).update(signed).digest();
}

function isSigned(secrets: readonly Buffer[], signed: string, mac: string): boolean {
  const given = Buffer.from(mac, "base64url");
  // The last character has unused bits: reject the other spellings of the same bytes.
  if (signed === "" || given.toString("base64url") !== mac) return false;
  return secrets.some((secret) => timingSafeEqual(toMac(secret, signed), given));
}

/** Parses the content of a ticket whose MAC was verified. */
function parseContent(content: string): { projectId: string; origin: string; display: Display } {
  const text = Buffer.from(content, "base64url").toString();
  const [projectId, version, origin, issuedMs, id, identifier, step, device] = JSON.parse(text) as [
    string,
    number,
    string,
    number,
    string,
    string?,
    string?,
    Impression["device"]?,
  ];
  const isCounted = identifier !== undefined && step !== undefined && device !== undefined;
  const display = {
    id,
    shown: isCounted ? { identifier, step, device } : undefined,
    version,
    displayedAt: new Date(issuedMs),
    expiresAt: new Date(issuedMs + TICKET_MS),
  };
  return { projectId, origin, display };
}

import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import type { Impression } from "../consents/ports.ts";
import type { Display, Tickets } from "../consents/ports.ts";
import type { LogKeys } from "./log/keys.ts";
import type { NoteKey } from "./log/note.ts";

/** How long a page may be open before its ticket has ended. */
export const TICKET_MS = 30 * 60_000;
/** Nodes agree about the time within two seconds; a ticket of a node ahead of this one is no forgery. */
const AHEAD_MAX_MS = 10_000;
const ID_BYTES = 16;
const MAC_BYTES = 32;
const KEY_INFO = "avow display ticket";
const FORMAT = "t1";
const ticketPattern = /^(t1\.([\w-]+))\.([\w-]{43})$/;

/**
 * Opens what gives display tickets and reads them back: `t1.CONTENT.MAC`, base64url of the JSON
 * `[projectId, version, origin, issuedMs, id]`, with `identifier, step, device` behind it where the display was
 * counted, and of its HMAC-SHA256. The key is derived (RFC 5869) from
 * the log's newest signing key, which every node has; tickets made by any of the keys are good.
 */
export function openTickets(keys: LogKeys): Tickets {
  let known: { keys: readonly NoteKey[]; secrets: readonly Buffer[] } = { keys: [], secrets: [] };
  /** The keys may change meanwhile, which is seldom. */
  const readSecrets = async (): Promise<readonly Buffer[]> => {
    const now = await keys.read();
    if (now !== known.keys) known = { keys: now, secrets: now.map(toSecret) };
    return known.secrets;
  };
  return {
    async issue({ projectId, version, origin, now, shown }) {
      const [newest] = await readSecrets();
      if (!newest) throw new Error("Without a key there are no tickets.");
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
        return "was not given by this service, or was changed";
      const given = readContent(content);
      const ageMs = now.getTime() - given.display.displayedAt.getTime();
      if (given.projectId !== projectId) return "is for another project";
      if (origin !== undefined && origin !== given.origin) return "is for a page of another origin";
      if (ageMs < -AHEAD_MAX_MS) return "is of a time that has not come";
      if (ageMs >= TICKET_MS) return "has ended: it was more than half an hour old";
      return given.display;
    },
  };
}

/** Another secret than the key that signs: what is made with one says nothing of the other. */
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
  // The last character has bits that decode to nothing: of its texts only the one that was given counts.
  if (signed === "" || given.toString("base64url") !== mac) return false;
  return secrets.some((secret) => timingSafeEqual(toMac(secret, signed), given));
}

/** What one of our own keys has signed. */
function readContent(content: string): { projectId: string; origin: string; display: Display } {
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

import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { anyCharacter } from "../../../../test/any-character.ts";
import { type NoteKey, toNoteKey } from "./log/note.ts";
import { TICKET_MS, openTickets } from "./tickets.ts";

const keyOf = (fill: number, name = "shop.example/log") => toNoteKey(name, Buffer.alloc(32, fill));
const openWith = (keys: readonly NoteKey[]) => openTickets({ read: async () => keys });
const now = new Date("2026-11-20T10:11:12.345Z");
const given = { projectId: "665f0000aaaabbbbccccdddd", origin: "https://shop.example", now };
const issue = async (keys = [keyOf(1)]) =>
  (await openWith(keys).issue({ ...given, version: 3 })).ticket;

test("returns the display of a ticket until it expires", async () => {
  const tickets = openWith([keyOf(1)]);
  const { ticket, expiresAt } = await tickets.issue({ ...given, version: 3 });
  assert.equal(expiresAt.getTime() - now.getTime(), TICKET_MS);
  const display = await tickets.check(ticket, given);
  assert.ok(typeof display === "object", JSON.stringify(display));
  const { id, ...fields } = display;
  assert.match(id, /^[\w-]{22}$/);
  assert.deepEqual(fields, { version: 3, displayedAt: now, expiresAt, shown: undefined });
  const last = new Date(expiresAt.getTime() - 1);
  assert.equal(typeof (await tickets.check(ticket, { ...given, now: last })), "object");
  assert.equal(typeof (await tickets.check(ticket, { ...given, now: expiresAt })), "string");
});

test("returns the configuration, step and device of a counted display", async () => {
  const tickets = openWith([keyOf(1)]);
  const shown = { identifier: "shop", step: "welcome", device: "mobile" } as const;
  const { ticket } = await tickets.issue({ ...given, version: 3, shown });
  const display = await tickets.check(ticket, given);
  assert.deepEqual(typeof display === "object" && display.shown, shown);
});

test("accepts tickets of a node whose clock is up to ten seconds ahead", async () => {
  const tickets = openWith([keyOf(1)]);
  const at = (ms: number) => new Date(now.getTime() + ms);
  const check = async (ms: number) => tickets.check(await issue(), { ...given, now: at(ms) });
  assert.equal(typeof (await check(-10_000)), "object");
  assert.equal(typeof (await check(-10_001)), "string");
});

test("accepts tickets of every current key, and rejects those of other keys", async () => {
  const rotated = openWith([keyOf(2), keyOf(1)]);
  assert.equal(typeof (await rotated.check(await issue([keyOf(1)]), given)), "object");
  assert.equal(typeof (await rotated.check(await issue([keyOf(2)]), given)), "object");
  assert.equal(typeof (await rotated.check(await issue([keyOf(3)]), given)), "string");
  assert.equal(
    typeof (await rotated.check(await issue([keyOf(1, "other.example/log")]), given)),
    "string",
  );
});

test("rejects any altered ticket and any other text, without throwing", async () => {
  const tickets = openWith([keyOf(1)]);
  const ticket = await issue();
  await fc.assert(
    fc.asyncProperty(
      fc.nat(ticket.length - 1),
      fc.string({ unit: anyCharacter }),
      async (at, text) => {
        const changed = ticket.slice(0, at) + text + ticket.slice(at + 1);
        if (changed === ticket) return;
        assert.equal(typeof (await tickets.check(changed, given)), "string", changed);
        assert.equal(typeof (await tickets.check(text, given)), "string", text);
      },
    ),
  );
});

test("rejects a ticket whose last character is another spelling of the same bytes", async () => {
  const tickets = openWith([keyOf(1)]);
  const ticket = await issue();
  const bytes = Buffer.from(ticket.slice(-43), "base64url");
  const others = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    .split("")
    .map((last) => ticket.slice(0, -1) + last)
    .filter((text) => bytes.equals(Buffer.from(text.slice(-43), "base64url")) && text !== ticket);
  assert.equal(others.length, 3);
  for (const text of others) assert.equal(typeof (await tickets.check(text, given)), "string");
});

test("uses keys that change while the service runs", async () => {
  let keys = [keyOf(1)];
  const tickets = openTickets({ read: async () => keys });
  const before = await issue();
  keys = [keyOf(2), keyOf(1)];
  const { ticket } = await tickets.issue({ ...given, version: 3 });
  assert.equal(typeof (await openWith([keyOf(2)]).check(ticket, given)), "object");
  assert.equal(typeof (await tickets.check(before, given)), "object");
  keys = [keyOf(2)];
  assert.equal(typeof (await tickets.check(before, given)), "string");
});

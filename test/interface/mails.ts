import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import PostalMime, { type Email } from "postal-mime";
import { service, runLog } from "../harness.ts";

const WAIT_MS = 30_000;
const read = new Map<string, Email>();

/** Every mail that the shared service has sent to `to`, oldest first. */
export async function listMails(to: string): Promise<Email[]> {
  const { folder } = service.config.mail;
  const names = (await readdir(folder)).filter((name) => name.endsWith(".eml"));
  for (const name of names.toSorted())
    if (!read.has(name)) read.set(name, await PostalMime.parse(await readFile(join(folder, name))));
  return [...read.values()].filter((email) =>
    email.to?.some(({ address }) => address?.toLowerCase() === to.toLowerCase()),
  );
}

/** Waits for a mail to `to` whose subject matches; returns the last one. */
export async function waitForMail(to: string, subject: RegExp): Promise<Email> {
  for (const deadline = Date.now() + WAIT_MS; ;) {
    const found = (await listMails(to)).findLast((email) => subject.test(email.subject ?? ""));
    if (found) return found;
    assert.ok(Date.now() < deadline, `a mail to ${to} about ${subject} is sent in time`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The URL of a mail's button. */
export function linkOf(email: Email): URL {
  const [, href = ""] = /class="button" href="([^"]+)"/.exec(email.html ?? "") ?? [];
  const url = new URL(href.replaceAll("&amp;", "&"));
  assert.ok(email.text?.includes(url.href), "the text has the same link");
  return url;
}

/** The token in that URL. */
export function tokenOf(email: Email): string {
  const token = linkOf(email).searchParams.get("token") ?? "";
  runLog.remember("a mailed token", token);
  return token;
}

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { BrowserContextOptions, Page } from "playwright-core";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../../harness.ts";
import { poll } from "../../poll.ts";
import { type Opened, openPage } from "../widget/browser.ts";

export const password = "correct horse";

/** Somebody at the admin app. */
export interface AdminVisit extends Opened {
  /** Loads the app at a place: `/projects`. */
  open: (place: string) => Promise<void>;
  /** Goes to a place in the app as its links do, without loading it again. */
  go: (place: string) => Promise<void>;
}

/** What the browser says of an answer that is no success, which the app tells in its own way. */
const toldByApp = /Failed to load resource: the server responded with a status of 4\d\d/;

/** Opens the app in a browser of its own. `faults` has what breaks the page's policy, too. */
export async function openAdmin(
  place = "/",
  options: BrowserContextOptions = {},
  url: string = service.url,
): Promise<AdminVisit> {
  const opened = await openPage(options);
  const { page } = opened;
  const toAddress = (to: string): string => `${url}/admin${to === "/" ? "" : to}`;
  const open = async (to: string): Promise<void> => {
    await page.goto(toAddress(to));
  };
  const go = async (to: string): Promise<void> => {
    const address = JSON.stringify(toAddress(to));
    await page.evaluate(
      `history.pushState(null, "", ${address}); dispatchEvent(new PopStateEvent("popstate"))`,
    );
  };
  await open(place);
  return { ...opened, open, go };
}

/** The faults of a visit, without those of answers that refuse. */
export function listFaults({ faults }: Opened): string[] {
  return faults.filter((fault) => !toldByApp.test(fault));
}

export function newEmail(): string {
  return `admin-${randomBytes(6).toString("hex")}@example.org`;
}

/** Opens the app as somebody who is signed in, at a place; `url`: of another service than the shared one. */
export async function openAs(
  user: { email: string },
  place: string,
  options: BrowserContextOptions = {},
  url: string = service.url,
): Promise<AdminVisit> {
  const visit = await openAdmin("/signin", options, url);
  await signIn(visit.page, user.email);
  await visit.page.getByRole("heading", { level: 1, name: /^(Projects|Projets)$/ }).waitFor();
  if (place !== "/projects") await visit.open(place);
  return visit;
}

/** Fills in the form that signs in, wherever it stands. */
export async function signIn(page: Page, email: string, given = password): Promise<void> {
  await page.getByLabel(/^(E-mail address|Adresse e-mail)$/).fill(email);
  await page.getByLabel(/^(Password|Mot de passe)$/).fill(given);
  await page.getByRole("button", { name: /^(Sign in|Se connecter)$/ }).click();
}

/** For so long nothing has to be under way. */
const QUIET_MS = 300;

/** Waits until a screen has all that it reads, and a preview is drawn. */
export async function settle({ page, listPending }: AdminVisit): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  let busyAt = Date.now();
  await poll({
    read() {
      const pending = listPending();
      if (pending.length > 0) busyAt = Date.now();
      return pending;
    },
    isRight: () => Date.now() - busyAt > QUIET_MS,
    waitMs: 30_000,
    toMessage: (pending) => `The screen still asks for ${pending.join(", ")}`,
  });
  for (const busy of ["[aria-busy=true]", "iframe.drawn:not(.front)"])
    await page.locator(busy).first().waitFor({ state: "detached" });
}

/** Opens the app as somebody whom a project was shared with in a role. */
export async function openShared(
  site: { id: string; token: string },
  role: string,
  place: string,
): Promise<AdminVisit> {
  const user = await service.newUser();
  const { status, body } = await service.fetch(`/v1/vault/projects/${site.id}/users`, {
    token: site.token,
    json: { userId: user.id, roles: [role] },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return openAs(user, place);
}

/** Waits until all that a project collected has its place in the log. */
export async function waitUntilLogged(site: { id: string; token: string }): Promise<void> {
  const { token } = site;
  const list = await service.fetch(hrefOf("", paths.consents, { projectId: site.id }), { token });
  const deadline = Date.now() + 30_000;
  for (const { consentId } of list.body as { consentId: string }[])
    while (
      (await service.fetch(hrefOf("", paths.proof, { consentId }), { token })).status !== 200
    ) {
      assert.ok(Date.now() < deadline, "it is logged in time");
      await new Promise((done) => setTimeout(done, 200));
    }
}

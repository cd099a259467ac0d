import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { BrowserContextOptions, Page } from "playwright-core";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../../harness.ts";
import { poll } from "../../poll.ts";
import { type OpenPage, openPage } from "../widget/browser.ts";

export const password = "correct horse";

/** A visit to the admin app. */
export interface AdminVisit extends OpenPage {
  /** Loads the app at a path such as `/projects`. */
  open: (place: string) => Promise<void>;
  /** Navigates inside the app as its links do, without a page load. */
  go: (place: string) => Promise<void>;
}

/** The browser's message about an answer 4xx, which the app reports itself. */
const reportedByApp = /Failed to load resource: the server responded with a status of 4\d\d/;

/** Opens the app in its own browser profile. `faults` also has violations of the page's policy. */
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

/** The faults of a visit, without the messages about answers 4xx. */
export function listFaults({ faults }: OpenPage): string[] {
  return faults.filter((fault) => !reportedByApp.test(fault));
}

export function newEmail(): string {
  return `admin-${randomBytes(6).toString("hex")}@example.org`;
}

/** Opens the app at a path as a signed-in user; `url` selects another service than the shared one. */
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

/** Fills in the sign-in form on any screen. */
export async function signIn(page: Page, email: string, given = password): Promise<void> {
  await page.getByLabel(/^(E-mail address|Adresse e-mail)$/).fill(email);
  await page.getByLabel(/^(Password|Mot de passe)$/).fill(given);
  await page.getByRole("button", { name: /^(Sign in|Se connecter)$/ }).click();
}

/** Time without a pending request after which a screen has settled. */
const QUIET_MS = 300;

/** Waits until a screen has loaded all its data, and a preview is drawn. */
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
    toMessage: (pending) => `The screen still loads ${pending.join(", ")}`,
  });
  for (const busy of ["[aria-busy=true]", "iframe.drawn:not(.front)"])
    await page.locator(busy).first().waitFor({ state: "detached" });
}

/** Opens the app as a user whom a project was shared with in a role. */
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

/** Waits until all consents of a project are in the log. */
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

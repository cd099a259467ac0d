import { Fault } from "../../../platform/errors.ts";
import { isAsked } from "@avow/contract/answers";
import { languageOf } from "@avow/contract/published";
import { hrefOf, paths } from "@avow/contract/urls";
import { assertOffered, collectConsent } from "../../consents/collect/collect.ts";
import type { Link } from "../../consents/links/links.ts";
import type { OfferedConfiguration } from "../../consents/offers/offered.ts";
import type { ConsentIn } from "@avow/contract/consents";
import type { Sender } from "../../consents/collect/sender.ts";
import { listTokenState } from "../../consents/states/token-state.ts";
import type { PersonApp } from "./ports.ts";
import { readChange } from "./change.ts";
import type { Contents } from "./contents.ts";

/** Maximum vendors of a record (see the schema of preferences). */
const VENDORS_MAX = 500;
const SIZE_BYTES = 4_096;

interface PageAnswer {
  identifier: string;
  /** The answered vendors, at least one; undefined: all that are asked. */
  vendors: readonly string[] | undefined;
  accept: boolean;
}

/**
 * Records an answer on a person's page like any other answer: to the live version, which the page shows next to the
 * button. The record's URL is that of the page without the link. Returns the record's id.
 * @throws Fault not-found for an item that is not asked now; busy if too many consents are queued
 */
export async function answerOnPage(
  app: PersonApp & { contents: Contents },
  { projectId, token }: Link,
  { sender, identifier, vendors, accept }: PageAnswer & { sender: Sender },
): Promise<string> {
  const offered = (await app.live.getOffered(projectId, [identifier])).get(identifier);
  if (!offered || offered.version === null)
    throw new Fault("not-found", "The configuration is no longer published.");
  const { collection } = assertOffered(offered, { collection: offered.collection, identifier });
  const published = await app.contents.find({ projectId, version: offered.version });
  const configuration = published.get(identifier);
  const language = configuration && languageOf(configuration);
  const answer =
    collection === "cookies"
      ? await toCookiesAnswer(app, { projectId, token, offered, vendors, accept })
      : { accept };
  const body: ConsentIn = {
    ...answer,
    token,
    url: hrefOf(app.publicUrl, paths.personPage, { projectId, link: "" }).replace(/\/$/, ""),
    version: offered.version,
    ...(language === undefined ? {} : { language }),
  };
  const { record } = await collectConsent(app, {
    projectId,
    collection,
    identifier,
    sender,
    body,
    idempotencyKey: undefined,
    sizeBytes: SIZE_BYTES,
  });
  return record.id;
}

/**
 * Accepts again the items that a record withdrew just now. Returns the new record's id.
 * @throws Fault not-found if there is nothing left to undo; as `answerOnPage`
 */
export async function undoOnPage(
  app: PersonApp & { contents: Contents },
  link: Link,
  { sender, consentId }: { sender: Sender; consentId: string },
): Promise<string> {
  const change = await readChange(app, link, consentId);
  if (!change || change.withdrawn.length === 0)
    throw new Fault("not-found", "There is nothing left to undo.");
  const { identifier, withdrawn } = change;
  const vendors = withdrawn.includes("") ? undefined : withdrawn;
  return answerOnPage(app, link, { sender, identifier, vendors, accept: true });
}

/** An answer for some vendors does not change those for others, which may still be accepted. */
async function toCookiesAnswer(
  { db, data, now }: Pick<PersonApp, "db" | "data" | "now">,
  given: {
    projectId: string;
    token: string;
    offered: OfferedConfiguration;
    vendors: readonly string[] | undefined;
    accept: boolean;
  },
): Promise<Pick<ConsentIn, "accept" | "preferences">> {
  const { projectId, token, offered, vendors, accept } = given;
  const asked = [...offered.offers.values()].filter((one) => one.item !== "" && isAsked(one));
  const toPreferences = (names: readonly string[]): Pick<ConsentIn, "preferences"> => ({
    preferences: { vendors: Object.fromEntries(names.map((name) => [name, accept])) },
  });
  if (vendors === undefined) {
    if (asked.length > VENDORS_MAX) return { accept };
    return { accept, ...toPreferences(asked.map(({ item }) => item)) };
  }
  if (!vendors.every((vendor) => asked.some(({ item }) => item === vendor)))
    throw new Fault("not-found", "The vendor is no longer published.");
  const query = { projectId, token, now: now(), at: undefined, named: [], cursor: undefined };
  const { items } = await listTokenState({ db, data }, query);
  const others = items.some(
    ({ identifier, item, status }) =>
      identifier === offered.identifier && !vendors.includes(item) && status === "accepted",
  );
  return { accept: accept || others, ...toPreferences(vendors) };
}

import { Fault } from "../../../platform/errors.ts";
import { isAsked } from "@avow/contract/answers";
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

/** What a record may name (see the schema of preferences). */
const VENDORS_MAX = 500;
const SIZE_BYTES = 4_096;

interface Given {
  identifier: string;
  /** These vendors alone, one at least; undefined: all that is asked. */
  vendors: readonly string[] | undefined;
  accept: boolean;
}

/**
 * Records what somebody answers on their page, as any other answer is recorded: to what is live now, which the
 * page shows beside the button, and with the page, without the link, as its address. Answers the record's id.
 * @throws Fault not-found for what is not asked now; busy when too many consents wait
 */
export async function answerOnPage(
  app: PersonApp & { contents: Contents },
  { projectId, token }: Link,
  { sender, identifier, vendors, accept }: Given & { sender: Sender },
): Promise<string> {
  const offered = (await app.live.getOffered(projectId, [identifier])).get(identifier);
  if (!offered || offered.version === null)
    throw new Fault("not-found", "This is not asked any more.");
  const { collection } = assertOffered(offered, { collection: offered.collection, identifier });
  const published = await app.contents.find({ projectId, version: offered.version });
  const language = published.get(identifier)?.language;
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
 * Accepts again what a record withdrew just now. Answers the new record's id.
 * @throws Fault not-found where nothing is left to be undone; as `answerOnPage`
 */
export async function undoOnPage(
  app: PersonApp & { contents: Contents },
  link: Link,
  { sender, consentId }: { sender: Sender; consentId: string },
): Promise<string> {
  const change = await readChange(app, link, consentId);
  if (!change || change.withdrawn.length === 0)
    throw new Fault("not-found", "Nothing is left to be undone.");
  const { identifier, withdrawn } = change;
  const vendors = withdrawn.includes("") ? undefined : withdrawn;
  return answerOnPage(app, link, { sender, identifier, vendors, accept: true });
}

/** The answer for some vendors leaves those for others as they are; they may be accepted still. */
async function toCookiesAnswer(
  { db, now }: Pick<PersonApp, "db" | "now">,
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
    throw new Fault("not-found", "This is not asked any more.");
  const query = { projectId, token, now: now(), at: undefined, named: [], cursor: undefined };
  const { items } = await listTokenState(db, query);
  const others = items.some(
    ({ identifier, item, status }) =>
      identifier === offered.identifier && !vendors.includes(item) && status === "accepted",
  );
  return { accept: accept || others, ...toPreferences(vendors) };
}

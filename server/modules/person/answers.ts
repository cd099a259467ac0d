import { Fault } from "../../platform/errors.ts";
import { hrefOf, paths } from "../../paths.ts";
import { assertOffered, collectConsent } from "../consents/consents.ts";
import type { Link } from "../consents/links.ts";
import type { OfferedConfiguration } from "../consents/offered.ts";
import type { ConsentIn } from "../consents/schema.ts";
import type { Sender } from "../consents/sender.ts";
import { listTokenState } from "../consents/token-state.ts";
import { toLine } from "../evidence/forms/fields.ts";
import type { PersonApp } from "./app.ts";
import type { Contents } from "./contents.ts";

/** What a record may name (see the schema of preferences). */
const VENDORS_MAX = 500;
const SIZE_BYTES = 4_096;

interface Given {
  identifier: string;
  /** One vendor alone; undefined: all that is asked. */
  vendor: string | undefined;
  accept: boolean;
}

/**
 * Records what somebody answers on their page, as any other answer is recorded: to what is live now, which the
 * page shows beside the button, and with the page, without the link, as its address.
 * @throws Fault not-found for what is not asked now; busy when too many consents wait
 */
export async function answerOnPage(
  app: PersonApp & { contents: Contents },
  { projectId, token }: Link,
  { sender, identifier, vendor, accept }: Given & { sender: Sender },
): Promise<void> {
  const offered = (await app.live.getOffered(projectId, [identifier])).get(identifier);
  if (!offered || offered.version === null)
    throw new Fault("not-found", "This is not asked any more.");
  const { collection } = assertOffered(offered, { collection: offered.collection, identifier });
  const published = await app.contents.find({ projectId, version: offered.version });
  const language = toLine(published.get(identifier)?.["language"]);
  const answer =
    collection === "cookies"
      ? await toCookiesAnswer(app, { projectId, token, offered, vendor, accept })
      : { accept };
  const body: ConsentIn = {
    ...answer,
    token,
    url: hrefOf(app.publicUrl, paths.personPage, { projectId, link: "" }).replace(/\/$/, ""),
    version: offered.version,
    ...(language === undefined ? {} : { language }),
  };
  await collectConsent(app, {
    projectId,
    collection,
    identifier,
    sender,
    body,
    key: undefined,
    sizeBytes: SIZE_BYTES,
  });
}

/** The answer for one vendor leaves those for others as they are; some may be accepted still. */
async function toCookiesAnswer(
  { db, now }: Pick<PersonApp, "db" | "now">,
  given: {
    projectId: string;
    token: string;
    offered: OfferedConfiguration;
    vendor: string | undefined;
    accept: boolean;
  },
): Promise<Pick<ConsentIn, "accept" | "preferences">> {
  const { projectId, token, offered, vendor, accept } = given;
  const asked = [...offered.offers.values()].filter((one) => one.item !== "" && !one.required);
  if (vendor === undefined) {
    if (asked.length > VENDORS_MAX) return { accept };
    const vendors = Object.fromEntries(asked.map(({ item }) => [item, accept]));
    return { accept, preferences: { vendors } };
  }
  if (!asked.some(({ item }) => item === vendor))
    throw new Fault("not-found", "This is not asked any more.");
  const query = { projectId, token, now: now(), at: undefined, named: [], cursor: undefined };
  const { items } = await listTokenState(db, query);
  const others = items.some(
    ({ identifier, item, status }) =>
      identifier === offered.identifier && item !== vendor && status === "accepted",
  );
  return { accept: accept || others, preferences: { vendors: { [vendor]: accept } } };
}

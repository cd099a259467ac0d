import type { Db } from "../../../platform/db/db.ts";
import { listAnswersAt } from "../../consents/commitments/recorded.ts";
import type { listRecordsAfter } from "../../consents/read/registry.ts";
import { isWithdrawn } from "../../evidence/reports/statement/choices.ts";
import { answerTo, isAsked } from "@avow/contract/answers";
import { readText } from "@avow/contract/json";
import { vendorsOf } from "@avow/contract/published";
import type { Contents } from "./contents.ts";

type Kept = Awaited<ReturnType<typeof listRecordsAfter>>["items"][number];

/** What a record said of one thing. */
export interface SaidItem {
  /** '' for a configuration as a whole. */
  name: string;
  answer: "accepted" | "refused" | "withdrawn";
}

/**
 * What each of a token's records said, by its id: of a banner each vendor that it answers for, of a box the whole. A
 * record says refused; that this withdrew something, the state that it led to tells.
 */
export async function listSaid(
  { db, contents }: { db: Db; contents: Contents },
  projectId: string,
  records: readonly Kept[],
): Promise<Map<string, SaidItem[]>> {
  const states = await listAnswersAt(db, projectId, records);
  const said = new Map<string, SaidItem[]>();
  for (const record of records) {
    const { id, identifier, version, accept, preferences, collection } = record;
    const state = states.get(id) ?? {};
    const toAnswer = (item: string, isAccepted: boolean): SaidItem["answer"] =>
      isAccepted ? "accepted" : isWithdrawn(state, item) ? "withdrawn" : "refused";
    if (collection !== "cookies") {
      said.set(id, [{ name: "", answer: toAnswer("", accept) }]);
      continue;
    }
    const published = version === null ? undefined : await contents.find({ projectId, version });
    const vendors = vendorsOf(published?.get(identifier) ?? {});
    const given = preferences?.vendors;
    // Without a map a record answers for all that was asked.
    const items = given ? Object.keys(given) : Object.keys(state).filter((item) => item !== "");
    const isTold = (item: string): boolean =>
      vendors.size === 0 || isAsked(vendors.get(item) ?? { required: true });
    const told = items.filter(isTold).map((item) => ({
      name: readText(vendors.get(item)?.title) ?? state[item]?.name ?? item,
      answer: toAnswer(item, answerTo(item, { accept, vendors: given }) === true),
    }));
    // Of what nothing is known any more the record still has its own answer.
    said.set(id, told.length > 0 ? told : [{ name: "", answer: toAnswer("", accept) }]);
  }
  return said;
}

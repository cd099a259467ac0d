import type { DataDb } from "../../../platform/db/db.ts";
import { listAnswersAt } from "../../consents/commitments/recorded.ts";
import type { listRecordsAfter } from "../../consents/read/registry.ts";
import { isWithdrawn } from "../../evidence/reports/statement/answers.ts";
import { answerTo, isAsked } from "@avow/contract/answers";
import { readText } from "@avow/contract/json";
import { vendorsOf } from "@avow/contract/published";
import type { Contents } from "./contents.ts";

type TokenRecord = Awaited<ReturnType<typeof listRecordsAfter>>["items"][number];

/** The answer of a record to one item. */
export interface AnsweredItem {
  /** '' for a configuration as a whole. */
  name: string;
  answer: "accepted" | "refused" | "withdrawn";
}

/**
 * The answers of each of a token's records, by record id: for a banner, those to its vendors; for others, one for the
 * whole. The state after a record distinguishes a withdrawal from a refusal.
 */
export async function listAnsweredItems(
  { data, contents }: { data: DataDb; contents: Contents },
  projectId: string,
  records: readonly TokenRecord[],
): Promise<Map<string, AnsweredItem[]>> {
  const states = await listAnswersAt(data, projectId, records);
  const byRecord = new Map<string, AnsweredItem[]>();
  for (const record of records) {
    const { id, identifier, version, accept, preferences, collection } = record;
    const state = states.get(id) ?? {};
    const toAnswer = (item: string, isAccepted: boolean): AnsweredItem["answer"] =>
      isAccepted ? "accepted" : isWithdrawn(state, item) ? "withdrawn" : "refused";
    if (collection !== "cookies") {
      byRecord.set(id, [{ name: "", answer: toAnswer("", accept) }]);
      continue;
    }
    const published = version === null ? undefined : await contents.find({ projectId, version });
    const vendors = vendorsOf(published?.get(identifier) ?? {});
    const given = preferences?.vendors;
    // Without a map, the record answers all items that were asked.
    const items = given ? Object.keys(given) : Object.keys(state).filter((item) => item !== "");
    const isListed = (item: string): boolean =>
      vendors.size === 0 || isAsked(vendors.get(item) ?? { required: true });
    const answers = items.filter(isListed).map((item) => ({
      name: readText(vendors.get(item)?.title) ?? state[item]?.name ?? item,
      answer: toAnswer(item, answerTo(item, { accept, vendors: given }) === true),
    }));
    // If no vendor is known, the record still has its own answer.
    byRecord.set(id, answers.length > 0 ? answers : [{ name: "", answer: toAnswer("", accept) }]);
  }
  return byRecord;
}

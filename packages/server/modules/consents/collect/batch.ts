import { Fault } from "../../../platform/errors.ts";
import { type CollectApp, assertOffered } from "./collect.ts";
import { countAnswer } from "./count-answer.ts";
import type { OfferedConfiguration } from "../offers/offered.ts";
import { type Pending, toBatchKey, toPending } from "./pending.ts";
import { toAnswer } from "../records/answer.ts";
import type { BatchItemIn } from "@avow/contract/consents";
import type { Sender } from "./sender.ts";
import type { ConsentRecord } from "../records/row.ts";
import { noTicket, readDisplay } from "./redeemable-tickets.ts";

/** Limit of configurations in one batch, each of up to 1,000 vendors. */
const CONFIGURATIONS_MAX = 20;
/** Limit of answers in one batch: batches need no authentication, and a few bytes can answer for many vendors. */
const ANSWERS_MAX = 20_000;

interface Batch {
  projectId: string;
  sender: Sender;
  /** In request order, with their sizes; a `Fault` for an invalid item. */
  items: readonly ({ item: BatchItemIn; sizeBytes: number } | Fault)[];
}

/**
 * Stores the answers that a client queued, deduplicated by their ids. Returns one result per item, in order: its
 * record or an error. An invalid item does not affect the others. An item beyond the limits of one batch is too
 * large, and so are all items after it, because it still counts.
 * @throws Fault not-found without the project; busy when the batch could not be written
 */
export async function collectBatch(
  app: CollectApp,
  batch: Batch,
): Promise<(ConsentRecord | Fault)[]> {
  const { live, collector, now } = app;
  const identifiers = batch.items.flatMap((one) =>
    one instanceof Fault ? [] : [one.item.identifier],
  );
  const named = [...new Set(identifiers)].slice(0, CONFIGURATIONS_MAX);
  const offered = await live.getOffered(batch.projectId, named);
  const lookedUp = new Set(named);
  const at = now();
  let answers = 0;
  const readOne = async (one: Batch["items"][number]): Promise<Pending | Fault> => {
    if (one instanceof Fault) return one;
    if (!lookedUp.has(one.item.identifier))
      return toTooLarge(`names more than ${CONFIGURATIONS_MAX} configurations`);
    const pending = readItem(one, offered, { batch, at });
    if (pending instanceof Fault) return pending;
    await addDisplay(app, one.item, { pending, batch });
    answers += countAnswers(pending);
    return answers > ANSWERS_MAX
      ? toTooLarge(`contains more than ${ANSWERS_MAX} answers`)
      : pending;
  };
  const read: (Pending | Fault)[] = [];
  for (const one of batch.items) read.push(await readOne(one));
  return Promise.all(
    read.map(async (pending) => {
      if (pending instanceof Fault) return pending;
      try {
        const collected = await collector.collect(pending);
        countAnswer(app.displays, pending, collected);
        return collected.record;
      } catch (error) {
        if (error instanceof Fault && error.kind !== "busy") return error;
        throw error;
      }
    }),
  );
}

function toTooLarge(what: string): Fault {
  return new Fault("too-large", `This batch ${what}. Send this consent again in a smaller batch.`);
}

async function addDisplay(
  app: Pick<CollectApp, "live" | "tickets" | "now">,
  item: BatchItemIn,
  { pending, batch }: { pending: Pending; batch: Batch },
): Promise<void> {
  const { projectId, configuration: answered } = pending;
  const context = { projectId, origin: batch.sender.ticketOrigin, answered };
  Object.assign(pending, await readDisplay(app, item, context));
}

function countAnswers({ answer, configuration, ticket, shown }: Pending): number {
  const { vendors } = answer.preferences ?? {};
  const { offers } = ticket?.displayed ?? shown ?? configuration;
  return vendors ? 1 + Object.keys(vendors).length : offers.size;
}

function readItem(
  { item, sizeBytes }: { item: BatchItemIn; sizeBytes: number },
  offered: ReadonlyMap<string, OfferedConfiguration>,
  { batch, at }: { batch: Batch; at: Date },
): Pending | Fault {
  const { projectId, sender } = batch;
  try {
    const configuration = assertOffered(offered.get(item.identifier), item);
    const answer = toAnswer(item);
    const key = toBatchKey(item.id, item, answer);
    const more = { projectId, sender, configuration, key, sizeBytes, ...noTicket };
    return toPending(answer, more, at);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

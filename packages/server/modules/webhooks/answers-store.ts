import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";

/** Of each webhook so many are kept, the newest: 6.25 MiB at most, whatever a receiver answers. */
const KEPT_MAX = 100;

/** An answer that its try keeps the beginning of only. */
export interface LongAnswer {
  webhookId: string;
  deliveryId: number;
  requestId: string;
  answer: string;
}

/** Keeps long answers, but to what was erased meanwhile, and lets older ones of their webhooks go. The webhooks' lanes are locked. */
export async function insertAnswers(tx: Tx, answers: readonly LongAnswer[]): Promise<void> {
  if (answers.length === 0) return;
  const values = <T>(of: (answer: LongAnswer) => T) => sql.val(answers.map(of));
  await sql`
    INSERT INTO webhook_answers (webhook_id, delivery_id, request_id, answer)
    SELECT a.* FROM unnest(${values((a) => a.webhookId)}::text[], ${values((a) => a.deliveryId)}::bigint[],
      ${values((a) => a.requestId)}::uuid[], ${values((a) => a.answer)}::text[]) AS a(webhook_id, delivery_id, request_id, answer)
    JOIN webhook_deliveries d ON d.id = a.delivery_id AND d.status <> 'cancelled'`.execute(tx);
  await sql`
    DELETE FROM webhook_answers a USING unnest(${sql.val([...new Set(answers.map((a) => a.webhookId))])}::text[]) AS w(id)
    WHERE a.webhook_id = w.id AND a.id <= (
      SELECT o.id FROM webhook_answers o WHERE o.webhook_id = w.id ORDER BY o.id DESC OFFSET ${KEPT_MAX} LIMIT 1)`.execute(
    tx,
  );
}

/** The long answers to a delivery's tries that are still kept, by their request ids. */
export async function listAnswers(
  db: Db | Tx,
  deliveryId: number,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ requestId: string; answer: string }>`
    SELECT request_id AS "requestId", answer FROM webhook_answers WHERE delivery_id = ${deliveryId}`.execute(
    db,
  );
  return new Map(rows.map(({ requestId, answer }) => [requestId, answer]));
}

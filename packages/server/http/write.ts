import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
} from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { toActorName } from "../kernel/actor.ts";
import { type Ctx, type DataCtx, toCtx } from "../kernel/ctx.ts";
import { writeData } from "../kernel/events/outbox.ts";
import type { DataTx, Db, Planes, Tx } from "../platform/db/db.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import { Fault } from "../platform/errors.ts";
import { claimKey, saveAnswer } from "./idempotency-store.ts";
import { toShortNetwork } from "../platform/networks.ts";

const KEY_LENGTH_MAX = 255;

interface Write<T> {
  now: () => Date;
  req: FastifyRequest;
  reply: FastifyReply;
  status?: number;
  /** The answer contains a secret that is returned once: it is not stored, and a retry is a conflict. */
  isSecret?: boolean;
  headers?: (result: T) => Record<string, string>;
}

interface Answer<T> {
  status: number;
  headers: Record<string, string>;
  body: T;
}

/**
 * Runs a verb in one transaction and returns its result. An `Idempotency-Key` of a POST is claimed in the same
 * transaction (wire section 0): the same key and body get the first answer (`Idempotency-Replayed: true`),
 * another body gets 422, and only one of two concurrent requests runs. Answers are stored for a day, encrypted
 * under the caller's key, which itself is stored only as a hash. An answer with a secret is not stored: a
 * replay would return it after its revocation, or to a session without the right to it.
 *
 * @throws Fault invalid for a key that is empty or over 255 characters; conflict for a retry of a request that
 * returned a secret; all errors of the verb
 */
export async function answerWrite<T>(
  write: Write<T> & { db: Db },
  verb: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  return sendAnswer(write, await inTransaction(write.db, (tx) => runWrite(write, tx, verb)));
}

/**
 * The same for a verb that writes the data plane, which has its own keys. The caller has checked rights before, in the
 * control plane. Events that the verb notes are in the audit trail when this returns, or after the control plane was
 * down. A write with `hasEvents: false` does not depend on the control plane.
 */
export async function answerDataWrite<T>(
  write: Write<T> & Planes & { hasEvents?: boolean },
  verb: (ctx: DataCtx) => Promise<T>,
): Promise<T> {
  const run = (tx: DataTx) => runWrite(write, tx, verb);
  return sendAnswer(
    write,
    await (write.hasEvents === false ? inTransaction(write.data, run) : writeData(write, run)),
  );
}

function sendAnswer<T>({ reply }: Write<T>, { status, headers, body }: Answer<T>): T {
  void reply.code(status).headers(headers);
  return body;
}

async function runWrite<T, P extends Tx | DataTx>(
  write: Write<T>,
  tx: P,
  verb: (ctx: ReturnType<typeof toCtx<P>>) => Promise<T>,
): Promise<Answer<T>> {
  const { req } = write;
  const now = write.now();
  const run = async (): Promise<Answer<T>> => {
    const network = toShortNetwork(req.ip);
    const body = await verb(toCtx({ tx, actor: req.actor, now, requestId: req.id, network }));
    return { status: write.status ?? 200, headers: write.headers?.(body) ?? {}, body };
  };
  const key = idempotencyKeyOf(req);
  return key === undefined
    ? run()
    : runOnce(tx, { key, req, now, isSecret: write.isSecret === true }, run);
}

/** The key of a POST. Throws `Fault` (invalid) when it is empty or too long. */
export function idempotencyKeyOf(req: FastifyRequest): string | undefined {
  const key = req.headers["idempotency-key"];
  if (req.method !== "POST" || key === undefined) return undefined;
  if (typeof key === "string" && key !== "" && key.length <= KEY_LENGTH_MAX) return key;
  const message = `must be 1 to ${KEY_LENGTH_MAX} characters`;
  throw new Fault("invalid", `Idempotency-Key ${message}.`, {
    faults: [{ path: "Idempotency-Key", message }],
  });
}

async function runOnce<T>(
  tx: Tx | DataTx,
  { key, req, now, isSecret }: { key: string; req: FastifyRequest; now: Date; isSecret: boolean },
  run: () => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const path = req.url.split("?", 1)[0] ?? "";
  // An API key of one project gets no answer of another project's.
  const limit = req.actor.kind === "user" ? req.actor.projectId : undefined;
  const who = [toActorName(req.actor), ...(limit === undefined ? [] : [limit])];
  const scoped = JSON.stringify([...who, path, key]);
  const hash = createHash("sha256").update(scoped).digest();
  // Keyed by the caller's key, which is not stored: a body may contain a password.
  const requestHash = createHmac("sha256", cipherKeyOf(scoped))
    .update(JSON.stringify(req.body) ?? "")
    .digest();
  const claim = await claimKey(tx, { hash, requestHash, now });
  if (claim.claimed) {
    const answer = await run();
    if (!isSecret) await saveAnswer(tx, hash, seal(scoped, answer));
    return answer;
  }
  if (!claim.requestHash.equals(requestHash))
    throw new Fault(
      "impossible",
      "This Idempotency-Key was already used with a different body. Use a new key.",
    );
  if (isSecret)
    throw new Fault(
      "conflict",
      "This Idempotency-Key was already used, and the secret is returned only once. To create another, use a new key.",
    );
  const first = unseal<T>(scoped, claim.answer);
  return { ...first, headers: { ...first.headers, "idempotency-replayed": "true" } };
}

function cipherKeyOf(scoped: string): Buffer {
  return Buffer.from(hkdfSync("sha256", scoped, "", "avow idempotent answer", 32));
}

function seal(scoped: string, answer: unknown): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", cipherKeyOf(scoped), nonce);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(answer)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

function unseal<T>(scoped: string, sealed: Buffer): Answer<T> {
  const decipher = createDecipheriv("aes-256-gcm", cipherKeyOf(scoped), sealed.subarray(0, 12));
  decipher.setAuthTag(sealed.subarray(12, 28));
  const text = Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString();
  return JSON.parse(text) as Answer<T>;
}

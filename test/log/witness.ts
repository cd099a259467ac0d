// A witness by C2SP tlog-witness, in memory, with the RFC's own definitions of trees.
import { createPublicKey, sign, verify } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { type TestKey, newKey } from "../verifier/log.ts";
import { ROOTS } from "../verifier/naive.ts";

const COSIGNATURE = 0x04;
const SIZE_TYPE = "text/x.tlog.size";
/** How a witness behaves: correctly, unavailable, or with an invalid answer. */
export type Mood = "well" | "away" | "wrong signature" | "other key" | "no size" | "endless";

interface Tree {
  size: number;
  root: Buffer;
}

export interface TestWitness extends AsyncDisposable {
  key: TestKey;
  /** Its entry in EVIDENCE_WITNESSES. */
  setting: string;
  /** The tree that it cosigned last. */
  seen: Tree;
  mood: Mood;
  lagMs: number;
  /** The status codes of its answers, in order. */
  answered: number[];
}

/** Starts a witness for the log of a key. */
export async function openWitness(name: string, log: { origin: string; key: string }) {
  const key = newKey(name, COSIGNATURE);
  const server = createServer((req, res) => {
    const reply = async (): Promise<void> => {
      const { status, body, type = "text/plain" } = await answer(witness, log, req);
      witness.answered.push(status);
      res.writeHead(status, { "content-type": type }).end(body);
    };
    reply().catch(() => res.writeHead(500).end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const witness: TestWitness = {
    key,
    setting: `http://127.0.0.1:${port}/prefix ${key.text}`,
    seen: { size: 0, root: Buffer.alloc(0) },
    mood: "well",
    lagMs: 0,
    answered: [],
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return witness;
}

type Reply = { status: number; body?: string; type?: string };

async function answer(
  witness: TestWitness,
  log: { origin: string; key: string },
  req: IncomingMessage,
): Promise<Reply> {
  const text = (await req.setEncoding("utf8").toArray()).join("");
  await delay(witness.lagMs);
  if (witness.mood === "away") return { status: 503 };
  if (witness.mood === "no size") return { status: 409, body: "another\n", type: SIZE_TYPE };
  if (witness.mood === "endless") return { status: 200, body: "x".repeat(1_000_000) };
  if (req.method !== "POST" || req.url !== "/prefix/add-checkpoint") return { status: 405 };
  const split = text.indexOf("\n\n");
  const [old = "", ...hashes] = text.slice(0, split).split("\n");
  const note = text.slice(split + 2);
  if (!/^old (0|[1-9]\d*)$/.test(old) || hashes.length > 63) return { status: 400 };
  return add(witness, log, {
    from: Number(old.slice("old ".length)),
    proof: hashes.map((hash) => Buffer.from(hash, "base64")),
    note,
  });
}

function add(
  witness: TestWitness,
  log: { origin: string; key: string },
  { from, proof, note }: { from: number; proof: Buffer[]; note: string },
): Reply {
  const body = note.slice(0, note.lastIndexOf("\n\n") + 1);
  const [origin, size = "", root = ""] = body.split("\n");
  if (origin !== log.origin) return { status: 404 };
  if (!isSigned(note, body, log.key)) return { status: 403 };
  const tree: Tree = { size: Number(size), root: Buffer.from(root, "base64") };
  if (from > tree.size) return { status: 400 };
  const conflict = { status: 409, body: `${witness.seen.size}\n`, type: SIZE_TYPE };
  // No `await` from here to the end: the tree that is compared is the one that is replaced.
  if (from !== witness.seen.size) return conflict;
  if (from === tree.size && !tree.root.equals(witness.seen.root)) return conflict;
  if (from === 0 && proof.length > 0) return { status: 422 };
  if (from > 0 && from < tree.size) {
    const [first, second] = ROOTS(from, tree.size, { proof, first: witness.seen.root });
    const holds = first.equals(witness.seen.root) && second.equals(tree.root);
    if (!holds || proof.length > 0) return { status: 422 };
  } else if (proof.length > 0) return { status: 422 };
  witness.seen = tree;
  return { status: 200, body: cosign(witness, body) };
}

/** Whether the log signed the note, by its verifier key. */
function isSigned(note: string, body: string, verifier: string): boolean {
  const [name = "", id = "", ...rest] = verifier.split("+");
  const x = Buffer.from(rest.join("+"), "base64").subarray(1).toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return note
    .slice(body.length + 1)
    .split("\n")
    .some((line) => {
      const [dash, signer, encoded = ""] = line.split(" ");
      const bytes = Buffer.from(encoded, "base64");
      if (dash !== "—" || signer !== name || bytes.subarray(0, 4).toString("hex") !== id)
        return false;
      return verify(null, Buffer.from(body), key, bytes.subarray(4));
    });
}

function cosign({ key, mood }: TestWitness, body: string): string {
  const seconds = Math.floor(Date.now() / 1_000);
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(seconds));
  const signed = mood === "wrong signature" ? `${body}x` : body;
  const by = mood === "other key" ? newKey(key.name, COSIGNATURE) : key;
  const message = Buffer.from(`cosignature/v1\ntime ${seconds}\n${signed}`);
  const signature = sign(null, message, by.privateKey);
  const line = (id: Buffer) =>
    `— ${key.name} ${Buffer.concat([id, time, signature]).toString("base64")}\n`;
  // Clients must ignore a line by an unknown key.
  return line(Buffer.from("0badf00d", "hex")) + line(by.id);
}

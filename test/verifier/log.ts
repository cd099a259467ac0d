import { type KeyObject, generateKeyPairSync, hash, randomBytes, sign } from "node:crypto";
import canonicalize from "canonicalize";
import { MTH, PATH, PROOF } from "./naive.ts";

export interface TestKey {
  name: string;
  type: number;
  privateKey: KeyObject;
  publicKey: Buffer;
  id: Buffer;
  /** The verifier key in its text form. */
  text: string;
}

export function newKey(name: string, type = 0x01): TestKey {
  const pair = generateKeyPairSync("ed25519");
  const { x = "" } = pair.publicKey.export({ format: "jwk" });
  const publicKey = Buffer.from(x, "base64url");
  const typed = Buffer.concat([Buffer.of(type), publicKey]);
  const id = hash("sha256", Buffer.concat([Buffer.from(`${name}\n`), typed]), "buffer").subarray(
    0,
    4,
  );
  const text = `${name}+${id.toString("hex")}+${typed.toString("base64")}`;
  return { name, type, privateKey: pair.privateKey, publicKey, id, text };
}

export const COSIGNED_AT = 1_679_315_147;

export function signNote(text: string, keys: readonly TestKey[]): string {
  const lines = keys.map(({ name, type, id, privateKey }) => {
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(BigInt(COSIGNED_AT));
    const message = type === 0x04 ? `cosignature/v1\ntime ${COSIGNED_AT}\n${text}` : text;
    const signature = sign(null, Buffer.from(message), privateKey);
    const bytes = [id, ...(type === 0x04 ? [time] : []), signature];
    return `— ${name} ${Buffer.concat(bytes).toString("base64")}\n`;
  });
  return `${text}\n${lines.join("")}`;
}

export interface TestRecord {
  record: Record<string, unknown>;
  salt: Buffer;
}

/** A log in memory, with entries in Avow's format. */
export class TestLog {
  readonly origin: string;
  readonly keys: TestKey[];
  readonly entries: Buffer[] = [];

  constructor(origin = "consent.example/log", keys = [newKey(origin)]) {
    this.origin = origin;
    this.keys = keys;
  }

  add(record: Record<string, unknown>): TestRecord & { index: number } {
    const salt = randomBytes(32);
    this.entries.push(toEntry(record, salt));
    return { record, salt, index: this.entries.length - 1 };
  }

  fill(count: number): void {
    for (let i = 0; i < count; i += 1) this.entries.push(randomBytes(32));
  }

  checkpoint(size = this.entries.length): string {
    const root = MTH(this.entries.slice(0, size)).toString("base64");
    return signNote(`${this.origin}\n${size}\n${root}\n`, this.keys);
  }

  proof(index: number, size = this.entries.length): string {
    const path = PATH(index, this.entries.slice(0, size)).map((node) => node.toString("base64"));
    const lines = ["c2sp.org/tlog-proof@v1", `index ${index}`, ...path];
    return `${lines.join("\n")}\n\n${this.checkpoint(size)}`;
  }

  consistency(from: number, to = this.entries.length) {
    const nodes = PROOF(from, this.entries.slice(0, to));
    return { from, to, proof: nodes.map((node) => node.toString("base64")) };
  }
}

/** An entry in the bundle's format, computed with Node only. */
export function toEntry(record: Record<string, unknown>, salt: Buffer): Buffer {
  const text = Buffer.from(canonicalize(record) ?? "");
  const padding = Buffer.alloc((256 - (text.length % 256)) % 256, " ");
  return hash("sha256", Buffer.concat([salt, text, padding]), "buffer");
}

export const content = `{"version":3,"texts":{"fr":"Vous pouvez compter les visites ?"}}`;

export const consentRecord = {
  type: "consent",
  v: 1,
  consentId: "0193a6b0-7c11-7d4e-9c58-0a4f6d1f2b11",
  projectId: "6741f0a2c9e77c0012ab34cd",
  collection: "cookies",
  identifier: "6741f0a2c9e77c0012ab34ce",
  version: 3,
  publication: hash("sha256", content),
  token: "visitor-1 é",
  accept: true,
  answers: { matomo: { answer: "refused", name: "Matomo" }, maps: { answer: "accepted" } },
  preferences: { vendors: { matomo: false } },
  value: null,
  language: "fr",
  url: "https://shop.example/",
  timestamp: "2026-11-20T10:11:12.000Z",
  createdAt: "2026-11-20T10:11:12.345Z",
  userAgent: "Firefox",
  country: "FR",
  grade: "ticketed",
  signals: { gpc: true },
};

const publicationRecord = {
  type: "publication",
  projectId: consentRecord.projectId,
  version: 3,
  hash: consentRecord.publication,
  publishedAt: "2026-11-19T09:00:00.000Z",
};

/** A bundle that tests may change before it is serialized. */
export type TestBundle = ReturnType<typeof newBundle>["bundle"];

/** A bundle of a log with some more entries, and what a verifier needs to check it. */
export function newBundle(
  log = new TestLog(),
  sizes: { before?: number; after?: number; consent?: Record<string, unknown> } = {},
) {
  log.fill(sizes.before ?? 4);
  const published = log.add(publicationRecord);
  log.fill(2);
  const consent = log.add(sizes.consent ?? consentRecord);
  log.fill(sizes.after ?? 5);
  const prove = ({ record, salt, index }: TestRecord & { index: number }) => ({
    record,
    salt: salt.toString("base64"),
    proof: log.proof(index),
  });
  const bundle = {
    format: "avow-proof-bundle/v1",
    origin: log.origin,
    keys: log.keys.map(({ text }) => text),
    consent: prove(consent),
    publication: { ...prove(published), content } as
      | (ReturnType<typeof prove> & { content: string })
      | null,
  };
  return { log, bundle, text: JSON.stringify(bundle) };
}

// A time-stamping authority (RFC 3161): openssl with throw-away keys, behind HTTP.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type IncomingMessage, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { AsnConvert, OctetString } from "@peculiar/asn1-schema";
import { TimeStampReq } from "@peculiar/asn1-tsp";

const run = promisify(execFile);

/** How an authority behaves: correctly, unavailable, or with an answer that the client must reject. */
export type Mood =
  | "well"
  | "away"
  | "never answers"
  | "refuses"
  | "stamps something else"
  | "stamps another request"
  | "leaves its certificate out"
  | "says another type"
  | "says nonsense"
  | "endless"
  | "elsewhere";

export interface TestAuthority extends AsyncDisposable {
  /** The value of EVIDENCE_TSA_URL. */
  url: string;
  /** The certificate of the CA that issued the authority's own. */
  caFile: string;
  mood: Mood;
  /** Content types of the requests, in order. */
  requestTypes: string[];
}

export async function openAuthority(): Promise<TestAuthority> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "avow-tsa-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  await makeKeys(folder);
  const server = createServer((req, res) => {
    const reply = async (): Promise<void> => {
      const bytes = await readAll(req);
      authority.requestTypes.push(String(req.headers["content-type"]));
      if (authority.mood === "never answers") return;
      const { status, body, type = "application/timestamp-reply" } = await answer(bytes);
      res.writeHead(status, { "content-type": type, location: "/elsewhere" }).end(body);
    };
    reply().catch(() => res.writeHead(500).end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const answer = async (bytes: Buffer): Promise<Reply> => {
    const { mood } = authority;
    if (mood === "away") return { status: 503 };
    if (mood === "elsewhere") return { status: 307 };
    if (mood === "says nonsense") return { status: 200, body: Buffer.from("<html>") };
    const body = await stamp(
      folder,
      toAlteredQuery(bytes, mood),
      mood === "refuses" ? "strict" : "tsa",
    );
    if (mood === "says another type") return { status: 200, body, type: "text/html" };
    return { status: 200, body: mood === "endless" ? Buffer.alloc(1_000_000, body) : body };
  };
  const owned = opened.move();
  const { port } = server.address() as AddressInfo;
  const authority: TestAuthority = {
    url: `http://127.0.0.1:${port}/an-account/tsr`,
    caFile: join(folder, "ca.pem"),
    mood: "well",
    requestTypes: [],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  return authority;
}

interface Reply {
  status: number;
  body?: Buffer;
  type?: string;
}

/** Returns the query that a misbehaving authority stamps instead of the requested one. */
function toAlteredQuery(query: Buffer, mood: Mood): Buffer {
  const request = AsnConvert.parse(query, TimeStampReq);
  if (mood === "stamps something else")
    request.messageImprint.hashedMessage = new OctetString(Buffer.alloc(32, 7));
  if (mood === "stamps another request") request.nonce = Uint8Array.from([1, 2, 3]).buffer;
  if (mood === "leaves its certificate out") request.certReq = false;
  return Buffer.from(AsnConvert.serialize(request));
}

async function readAll(req: IncomingMessage): Promise<Buffer> {
  return Buffer.concat((await req.toArray()) as Buffer[]);
}

let count = 0;

async function stamp(folder: string, query: Buffer, section: string): Promise<Buffer> {
  const name = join(folder, String((count += 1)));
  await writeFile(`${name}.tsq`, query);
  const files = ["-queryfile", `${name}.tsq`, "-out", `${name}.tsr`];
  await openssl(folder, "ts", "-reply", "-config", "tsa.cnf", "-section", section, ...files);
  return readFile(`${name}.tsr`);
}

async function makeKeys(folder: string): Promise<void> {
  const config = (digests: string) =>
    `serial = serial
signer_cert = tsa.pem
signer_key = tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = ${digests}
accuracy = secs:1
ess_cert_id_alg = sha256
`;
  await writeFile(join(folder, "serial"), "01\n");
  await writeFile(
    join(folder, "tsa.cnf"),
    `[tsa]\n${config("sha256")}[strict]\n${config("sha512")}`,
  );
  await writeFile(
    join(folder, "extensions"),
    "extendedKeyUsage = critical, timeStamping\nkeyUsage = critical, digitalSignature\n",
  );
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const ca = ["-x509", "-keyout", "ca.key", "-out", "ca.pem", "-days", "2"];
  await openssl(folder, "req", ...key, ...ca, "-subj", "/CN=Throw-away CA");
  const request = ["-keyout", "tsa.key", "-out", "tsa.csr", "-subj", "/CN=Throw-away TSA"];
  await openssl(folder, "req", ...key, ...request);
  const by = ["-CA", "ca.pem", "-CAkey", "ca.key", "-set_serial", "2", "-days", "2"];
  const files = ["-in", "tsa.csr", "-out", "tsa.pem", "-extfile", "extensions"];
  await openssl(folder, "x509", "-req", ...files, ...by);
}

/** Runs openssl in a folder and returns its output. */
export async function openssl(folder: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await run("openssl", args, { cwd: folder, timeout: 30_000 });
  return stdout + stderr;
}

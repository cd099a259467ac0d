import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** The credentials of the accepted user. */
export interface Signer {
  accessKeyId: string;
  secretAccessKey: string;
}

/** The reason to reject a signature, as S3's error code. */
export type SignatureFault = "AccessDenied" | "InvalidAccessKeyId" | "SignatureDoesNotMatch";

const headerPattern =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/[^/]+\/[^/]+\/aws4_request), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

/**
 * Checks a request's signature (AWS Signature Version 4) from the received request alone; undefined when it
 * is valid. `bodyHash` is the body's hash as the request declares it.
 */
export function findSignatureFault(
  request: IncomingMessage,
  bodyHash: string,
  signer: Signer,
): SignatureFault | undefined {
  const [, keyId, scope = "", signed = "", signature] =
    headerPattern.exec(request.headers.authorization ?? "") ?? [];
  if (keyId === undefined) return "AccessDenied";
  if (keyId !== signer.accessKeyId) return "InvalidAccessKeyId";
  const [path = "", query = ""] = (request.url ?? "").split("?", 2);
  const headers = signed
    .split(";")
    .map((name) => `${name}:${String(request.headers[name] ?? "").trim()}\n`);
  const canonical = [
    request.method,
    path,
    query.split("&").map(withEquals).toSorted().join("&"),
    headers.join(""),
    signed,
    bodyHash,
  ].join("\n");
  const date = String(request.headers["x-amz-date"]);
  const text = ["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n");
  const key = scope
    .split("/")
    .reduce<string | Buffer>(
      (previous, part) => hmac(previous, part),
      `AWS4${signer.secretAccessKey}`,
    );
  return hmac(key, text).toString("hex") === signature ? undefined : "SignatureDoesNotMatch";
}

export function sha256(data: string | Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function withEquals(part: string): string {
  return part === "" || part.includes("=") ? part : `${part}=`;
}

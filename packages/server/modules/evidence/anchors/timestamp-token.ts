// RFC 3161, sections 2.4.1 and 2.4.2: requests to a time-stamping authority, and its responses.
import { hash, randomBytes } from "node:crypto";
import { SignedData, id_signedData } from "@peculiar/asn1-cms";
import { AsnConvert, OctetString } from "@peculiar/asn1-schema";
import {
  MessageImprint,
  PKIStatus,
  TSTInfo,
  TimeStampReq,
  TimeStampResp,
  id_ct_tstInfo,
} from "@peculiar/asn1-tsp";
import { AlgorithmIdentifier } from "@peculiar/asn1-x509";

const SHA256 = "2.16.840.1.101.3.4.2.1";
const NONCE_BYTES = 16;

/** A request to an authority, and the fields that its response has to repeat. */
export interface TimestampQuery {
  /** TimeStampReq. */
  der: Buffer;
  /** SHA-256 of the text. */
  imprint: Buffer;
  nonce: Buffer;
}

/** A request to time-stamp a text's UTF-8 bytes, and to include the authority's certificate. */
export function toTimestampQuery(text: string): TimestampQuery {
  const imprint = hash("sha256", text, "buffer");
  const nonce = randomBytes(NONCE_BYTES);
  // DER requires the shortest form of an INTEGER: this keeps it positive, without leading zeros.
  nonce[0] = ((nonce[0] ?? 0) & 0x3f) | 0x40;
  const request = new TimeStampReq({
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithm: SHA256, parameters: null }),
      hashedMessage: new OctetString(imprint),
    }),
    nonce: Uint8Array.from(nonce).buffer,
    certReq: true,
  });
  return { der: Buffer.from(AsnConvert.serialize(request)), imprint, nonce };
}

/**
 * The time in an authority's response (TimeStampResp), if it is granted, well-formed, and matches the query.
 * Does not verify the signature or the certificate.
 * @throws Error with a short reason that contains no text of the authority
 */
export function parseTimestampReply(reply: Uint8Array, query: TimestampQuery): Date {
  const { status, timeStampToken } = parse(reply, TimeStampResp);
  if (status.status !== PKIStatus.granted && status.status !== PKIStatus.grantedWithMods)
    throw new Error(`time-stamp not granted (${toFailure(status)})`);
  if (timeStampToken?.contentType !== id_signedData)
    throw new Error("response contains no time-stamp");
  const { encapContentInfo, signerInfos, certificates } = parse(timeStampToken.content, SignedData);
  const content = encapContentInfo.eContent?.single;
  if (encapContentInfo.eContentType !== id_ct_tstInfo || !content)
    throw new Error("response contains no time-stamp");
  // Section 2.4.2: no signature but the authority's.
  if (signerInfos.length !== 1) throw new Error("time-stamp does not have exactly one signature");
  if (!certificates?.length) throw new Error("time-stamp lacks the certificate");
  const { messageImprint, nonce, genTime } = parse(content.buffer, TSTInfo);
  const { hashAlgorithm, hashedMessage } = messageImprint;
  const imprint = Buffer.from(hashedMessage.buffer);
  if (hashAlgorithm.algorithm !== SHA256 || !imprint.equals(query.imprint))
    throw new Error("time-stamp has another message imprint");
  if (!nonce || !query.nonce.equals(Buffer.from(nonce)))
    throw new Error("time-stamp has another nonce");
  if (Number.isNaN(genTime.getTime())) throw new Error("time-stamp has no time");
  return genTime;
}

function parse<T>(der: ArrayBuffer | Uint8Array, type: new () => T): T {
  try {
    return AsnConvert.parse(der, type);
  } catch (error) {
    throw new Error("response is not valid RFC 3161", { cause: error });
  }
}

/** The names of RFC 3161, such as "rejection, badAlg". */
function toFailure({ status, failInfo }: TimeStampResp["status"]): string {
  return [PKIStatus[status] ?? "unknown status", ...(failInfo?.toJSON() ?? [])].join(", ");
}

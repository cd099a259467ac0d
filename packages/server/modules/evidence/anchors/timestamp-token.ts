// RFC 3161, sections 2.4.1 and 2.4.2: what is asked of a time-stamping authority, and what it answers.
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

/** A question to an authority, and what its answer has to repeat. */
export interface TimestampQuery {
  /** TimeStampReq. */
  der: Buffer;
  /** SHA-256 of what is to be stamped. */
  imprint: Buffer;
  nonce: Buffer;
}

/** Asks for a time-stamp of a text's UTF-8 bytes, with the authority's certificate in it. */
export function toTimestampQuery(text: string): TimestampQuery {
  const imprint = hash("sha256", text, "buffer");
  const nonce = randomBytes(NONCE_BYTES);
  // The shortest form of a positive INTEGER, as DER wants it: not negative, and no zeros before it.
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
 * The time of an authority's answer (TimeStampResp), once it is granted, has the form of a token, and
 * is of this query. Whether the signature holds, and whose the certificate is, is not looked at.
 * @throws Error which says why in a few words that hold nothing the authority said
 */
export function readTimestampReply(reply: Uint8Array, query: TimestampQuery): Date {
  const { status, timeStampToken } = parse(reply, TimeStampResp);
  if (status.status !== PKIStatus.granted && status.status !== PKIStatus.grantedWithMods)
    throw new Error(`it does not grant a time-stamp (${toFailure(status)})`);
  if (timeStampToken?.contentType !== id_signedData)
    throw new Error("its answer has no time-stamp in it");
  const { encapContentInfo, signerInfos, certificates } = parse(timeStampToken.content, SignedData);
  const content = encapContentInfo.eContent?.single;
  if (encapContentInfo.eContentType !== id_ct_tstInfo || !content)
    throw new Error("its answer has no time-stamp in it");
  // Section 2.4.2: no signature but the authority's.
  if (signerInfos.length !== 1) throw new Error("its time-stamp is not signed by it alone");
  if (!certificates?.length) throw new Error("its time-stamp lacks the certificate");
  const { messageImprint, nonce, genTime } = parse(content.buffer, TSTInfo);
  const { hashAlgorithm, hashedMessage } = messageImprint;
  const imprint = Buffer.from(hashedMessage.buffer);
  if (hashAlgorithm.algorithm !== SHA256 || !imprint.equals(query.imprint))
    throw new Error("its time-stamp is of something else");
  if (!nonce || !query.nonce.equals(Buffer.from(nonce)))
    throw new Error("its time-stamp is of another request");
  if (Number.isNaN(genTime.getTime())) throw new Error("its time-stamp has no time");
  return genTime;
}

function parse<T>(der: ArrayBuffer | Uint8Array, type: new () => T): T {
  try {
    return AsnConvert.parse(der, type);
  } catch (error) {
    throw new Error("its answer is not one of RFC 3161", { cause: error });
  }
}

/** By the names of RFC 3161, such as "rejection, badAlg". */
function toFailure({ status, failInfo }: TimeStampResp["status"]): string {
  return [PKIStatus[status] ?? "unknown status", ...(failInfo?.toJSON() ?? [])].join(", ");
}

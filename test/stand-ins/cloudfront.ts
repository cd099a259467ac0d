import type { IncomingMessage, ServerResponse } from "node:http";
import { type StandIn, openStandIn } from "./http.ts";
import { type Signer, findSignatureFault, sha256 } from "./signatures.ts";

interface StoredInvalidation {
  id: string;
  reference: string;
  paths: readonly string[];
}

/**
 * CloudFront's error of that name; or a connection cut before the request is processed, or after, so that the
 * answer is lost.
 */
type CloudFrontFault = { status: number; code: string } | "cut" | "lost";

/** A minimal CloudFront with the invalidations of one distribution, by reference. */
export interface CloudFrontStandIn extends StandIn {
  invalidations: readonly StoredInvalidation[];
  /** Number of requests, including rejected ones. */
  requests(): number;
  /** Makes the next requests fail with this fault. */
  fail(times: number, fault: CloudFrontFault): void;
}

export interface CloudFrontStandInOptions extends Signer {
  distributionId: string;
}

const NAMESPACE = 'xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"';

/** Opens the stand-in, which rejects requests that are not signed by the user in `options`. */
export async function openCloudFrontStandIn(
  options: CloudFrontStandInOptions,
): Promise<CloudFrontStandIn> {
  const invalidations: StoredInvalidation[] = [];
  const faults: CloudFrontFault[] = [];
  let requests = 0;
  const server = await openStandIn((request, answer) => {
    requests += 1;
    const fault = faults.shift();
    if (fault === "cut") return void request.socket.destroy();
    if (fault && fault !== "lost") return answerError(answer, fault.status, fault.code);
    const isLost = fault === "lost";
    createInvalidation({ request, answer, options, invalidations, isLost }).catch(() =>
      answer.destroy(),
    );
  });
  return {
    ...server,
    invalidations,
    requests: () => requests,
    fail: (times, fault) => void faults.push(...Array.from({ length: times }, () => fault)),
  };
}

interface Creation {
  request: IncomingMessage;
  answer: ServerResponse;
  options: CloudFrontStandInOptions;
  invalidations: StoredInvalidation[];
  isLost: boolean;
}

async function createInvalidation({ request, answer, ...rest }: Creation): Promise<void> {
  const { options, invalidations, isLost } = rest;
  const xml = Buffer.concat(await request.toArray()).toString();
  const refused = findSignatureFault(request, sha256(xml), options);
  if (refused) return answerError(answer, 403, refused);
  const path = `/2020-05-31/distribution/${options.distributionId}/invalidation`;
  if (request.url?.split("?")[0] !== path) return answerError(answer, 404, "NoSuchDistribution");
  if (request.method === "GET") return void answer.end(toListXml(invalidations.length));
  const [reference = ""] = readAll(xml, "CallerReference");
  const paths = readAll(xml, "Path");
  const [quantity] = readAll(xml, "Quantity");
  if (Number(quantity) !== paths.length) return answerError(answer, 400, "InconsistentQuantities");
  if (paths.some((one) => /[\s<>"{}|\\^~[\]`]/.test(one) || !one.startsWith("/")))
    return answerError(answer, 400, "InvalidArgument");
  const known = invalidations.find((one) => one.reference === reference);
  if (known && known.paths.join() !== paths.join())
    return answerError(answer, 400, "InvalidationBatchAlreadyExists");
  const made = known ?? { id: `I${invalidations.length + 1}STANDIN`, reference, paths };
  if (!known) invalidations.push(made);
  if (isLost) return void request.socket.destroy();
  answer.writeHead(201, { "content-type": "text/xml" }).end(toXml(made));
}

function toXml({ id, reference, paths }: StoredInvalidation): string {
  const items = paths.map((path) => `<Path>${escape(path)}</Path>`).join("");
  const batch = `<InvalidationBatch><Paths><Quantity>${paths.length}</Quantity><Items>${items}</Items></Paths><CallerReference>${escape(reference)}</CallerReference></InvalidationBatch>`;
  return `<?xml version="1.0"?><Invalidation ${NAMESPACE}><Id>${id}</Id><Status>InProgress</Status><CreateTime>2026-01-02T03:04:05.678Z</CreateTime>${batch}</Invalidation>`;
}

function toListXml(count: number): string {
  return `<?xml version="1.0"?><InvalidationList ${NAMESPACE}><Marker></Marker><MaxItems>1</MaxItems><IsTruncated>false</IsTruncated><Quantity>${count}</Quantity></InvalidationList>`;
}

function answerError(answer: ServerResponse, status: number, code: string): void {
  const xml = `<?xml version="1.0"?><ErrorResponse ${NAMESPACE}><Error><Type>Sender</Type><Code>${code}</Code><Message>${code}, says the stand-in</Message></Error><RequestId>1</RequestId></ErrorResponse>`;
  answer.writeHead(status, { "content-type": "text/xml" }).end(xml);
}

function readAll(xml: string, name: string): string[] {
  const found = xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"));
  return [...found].map(([, text = ""]) => unescape(text));
}

const entities = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&" };

function unescape(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (entity) =>
    entity in entities ? entities[entity as keyof typeof entities] : entity,
  );
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

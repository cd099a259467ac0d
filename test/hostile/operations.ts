import { service } from "../harness.ts";
import type { Schema } from "./schema.ts";

interface Parameter {
  in: "path" | "query" | "header";
  name: string;
  required: boolean;
  schema: Schema;
}

interface Content {
  content?: Record<string, { schema?: Schema }>;
}

/** One operation as the OpenAPI document declares it. */
export interface Operation {
  method: string;
  path: string;
  operationId: string;
  summary: string;
  tags: string[];
  isPublic: boolean;
  /** Whether it requires the operator's token, and accepts no user's. */
  isOperators: boolean;
  parameters: Parameter[];
  /** Schema of the JSON body, if any. */
  body: Schema | undefined;
  bodyTypes: string[];
  isBodyRequired: boolean;
  responses: Record<string, Content>;
}

interface Declared extends Pick<Operation, "operationId" | "summary" | "tags" | "responses"> {
  security?: object[];
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
}

interface Document {
  paths: Record<string, Record<string, Declared>>;
}

/** The document as the service serves it. */
export async function fetchDocument(): Promise<Record<string, unknown>> {
  const answer = await service.fetch("/v1/openapi.json");
  if (answer.status !== 200) throw new Error(`no OpenAPI document: ${answer.status}`);
  return answer.body;
}

/** Every operation of the document, so that these tests cover new routes automatically. */
export async function listOperations(): Promise<Operation[]> {
  const document = await fetchDocument();
  const { paths } = resolve(document, document) as unknown as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, declared]) => {
      const content = declared.requestBody?.content ?? {};
      return {
        method: method.toUpperCase(),
        path,
        operationId: declared.operationId,
        summary: declared.summary,
        tags: declared.tags,
        isPublic: declared.security?.length === 0,
        isOperators: declared.security?.some((scheme) => "operator" in scheme) ?? false,
        parameters: declared.parameters ?? [],
        body: bodyOf(method === "patch" ? merged(content, methods["put"]) : content),
        bodyTypes: Object.keys(content),
        isBodyRequired: declared.requestBody?.required ?? false,
        responses: declared.responses,
      };
    }),
  );
}

interface Example {
  at: string;
  schema: Schema;
  example?: unknown;
}

/** Every parameter, JSON body and JSON response of the document, with its example. */
export async function listExamples(): Promise<Example[]> {
  const document = await fetchDocument();
  const { paths } = resolve(document, document) as unknown as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody, responses }]) => {
      const answers = Object.entries(responses).filter(([status]) => /^\d+$/.test(status));
      const contents = [requestBody, ...answers.map(([, answer]) => answer)];
      const json = contents.map((one) => one?.content?.["application/json"]);
      return [...parameters, ...json]
        .filter((one) => one?.schema !== undefined)
        .map((one) => ({ at: `${method} ${path}`, ...(one as Omit<Example, "at">) }));
    }),
  );
}

/** Replaces every `$ref` in a part of a document by its target; components have no cycle. */
function resolve<T>(part: T, document: object): T {
  if (typeof part !== "object" || part === null) return part;
  if ("$ref" in part && typeof part.$ref === "string") {
    const keys = part.$ref.split("/").slice(1);
    const found = keys.reduce<unknown>(
      (at, key) => (at as Record<string, unknown> | undefined)?.[key],
      document,
    );
    if (found === undefined) throw new Error(`nothing is at ${part.$ref}`);
    return resolve(found as T, document);
  }
  if (Array.isArray(part)) return part.map((item: unknown) => resolve(item, document)) as T;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, resolve(value as unknown, document)]),
  ) as T;
}

function bodyOf(content: NonNullable<Content["content"]>): Schema | undefined {
  return content["application/json"]?.schema;
}

/** A merge patch may have any part of the whole document (RFC 7396), and requires none. */
function merged(
  content: NonNullable<Content["content"]>,
  replace: Declared | undefined,
): NonNullable<Content["content"]> {
  const whole = bodyOf(replace?.requestBody?.content ?? {});
  if (!whole || bodyOf(content)?.properties) return content;
  const { required: _, ...schema } = whole;
  return { "application/json": { schema } };
}

/**
 * Operations that the shared service has no provider for: of payments (tested in
 * test/interface/billing-*.test.ts), or of sign-in (test/interface/social.test.ts).
 */
export const needProvider: ReadonlySet<string> = new Set([
  "openCheckout",
  "openPortal",
  "receivePaymentEvent",
  "signInCallback",
  // Witnesses and a time-stamping authority: test/log has them.
  "getWitnessedCheckpoint",
  "getTimestamp",
  "getTimestampedCheckpoint",
]);

/** Whether an operation changes something. */
export function isWrite(operation: Operation): boolean {
  return operation.method !== "GET" || operation.operationId.startsWith("logout");
}

/** Whether an operation accepts a file as its body, and no JSON. */
export function takesFile({ body, bodyTypes }: Operation): boolean {
  return body === undefined && bodyTypes.length > 0 && !bodyTypes.includes("application/json");
}

/** Whether an operation has a body without fields, which may be left out (wire section 9). */
export function takesNoField({ method, body }: Operation): boolean {
  return method === "POST" && body?.type === "object" && isEmpty(body.properties);
}

function isEmpty(properties: Schema["properties"]): boolean {
  return Object.keys(properties ?? {}).length === 0;
}

/** The schema of the body that `operation` declares for `status`; undefined when there is none. */
export function answerSchemaOf(
  operation: Operation,
  status: number,
  type: string,
): Schema | undefined {
  const { responses } = operation;
  const declared = responses[String(status)] ?? responses[`${Math.floor(status / 100)}XX`];
  return declared?.content?.[type]?.schema;
}

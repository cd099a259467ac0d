import assert from "node:assert/strict";
import {
  type OpenApi,
  controlMember,
  controlPath,
  getOperation,
  listOperations,
} from "./document.ts";

const REQUEST_TIMEOUT_MS = 30_000;
const PRISM_TYPE = /^https:\/\/stoplight\.io\/prism\/errors#/;
const BODY_CHARS_MAX = 300;

interface Call {
  /** Values of the path's parameters; others come from the examples of the document. */
  path?: Record<string, string | number>;
  query?: Record<string, string>;
  /** The JSON body; by default the example of the document if the body is required. */
  json?: unknown;
  body?: string | FormData;
  headers?: Record<string, string>;
  /** By default the token of the driver; null for none. */
  token?: string | null;
}

/** Any JSON value of an answer, read member by member. */
export interface Json {
  readonly [name: string]: Json | undefined;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: Json;
}

export interface Violation {
  operation: string;
  path: string;
  message: string;
}

/** Sends operations of the document through the proxy, and records what it found. */
export interface Driver {
  /** Sends an operation, and records a violation unless it succeeds. Never throws for an answer. */
  call: (operation: string, call?: Call) => Promise<Answer>;
  setToken: (token: string) => void;
  covered: () => ReadonlySet<string>;
  violations: () => readonly Violation[];
}

export function createDriver(openApi: OpenApi, prismUrl: string): Driver {
  const known = new Set(listOperations(openApi));
  const covered = new Set<string>();
  const violations: Violation[] = [];
  let currentToken: string | undefined;

  async function call(operation: string, options: Call = {}): Promise<Answer> {
    assert.ok(known.has(operation), `The document has no operation ${operation}.`);
    const answer = await send(prismUrl, toRequest(openApi, operation, options, currentToken));
    const found = toViolations(operation, answer);
    violations.push(...found);
    if (found.length === 0) covered.add(operation);
    return answer;
  }
  return {
    call,
    setToken: (token) => (currentToken = token),
    covered: () => covered,
    violations: () => violations,
  };
}

/** Asserts that the proxy rejects an answer that does not match the document. */
export async function assertProxyValidates(prismUrl: string): Promise<void> {
  const answer = await send(prismUrl, { method: "GET", address: controlPath, headers: {} });
  assert.match(answer.text, new RegExp(controlMember), "the proxy does not validate answers");
}

interface Request {
  method: string;
  address: string;
  headers: Record<string, string>;
  body?: string | FormData | undefined;
}

function toRequest(openApi: OpenApi, key: string, options: Call, token?: string): Request {
  const operation = getOperation(openApi, key);
  const [method = "", template = ""] = key.split(" ");
  const parameters = operation.parameters ?? [];
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.in === "path" && one.name === name);
    return encodeURIComponent(String(options.path?.[name] ?? parameter?.example));
  });
  const query = new URLSearchParams(options.query);
  const headers: Record<string, string> = { ...options.headers };
  const given = options.token === undefined ? token : options.token;
  if (given !== undefined && given !== null) headers["authorization"] = `Bearer ${given}`;
  const { requestBody } = operation;
  const example = requestBody?.required
    ? requestBody.content["application/json"]?.example
    : undefined;
  const json = options.body === undefined ? (options.json ?? example) : undefined;
  if (json !== undefined) headers["content-type"] ??= "application/json";
  const address = query.size > 0 ? `${path}?${query.toString()}` : path;
  return {
    method,
    address,
    headers,
    body: json === undefined ? options.body : JSON.stringify(json),
  };
}

async function send(prismUrl: string, request: Request): Promise<Answer> {
  const { method, address, headers, body } = request;
  const response = await fetch(prismUrl + address, {
    method,
    headers,
    redirect: "manual",
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  return { status: response.status, headers: response.headers, text, json: parse(text, isJson) };
}

function parse(text: string, isJson: boolean): Json {
  if (!isJson || text === "") return {};
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {}; // A stream of JSON lines.
  }
}

interface PrismProblem {
  type?: string;
  title?: string;
  detail?: string;
  validation?: readonly { location?: readonly string[]; message: string }[];
}

/** Violations that the proxy found, or a status that is no success. */
function toViolations(operation: string, answer: Answer): Violation[] {
  const problem = answer.json as unknown as PrismProblem;
  if (PRISM_TYPE.test(problem.type ?? "")) {
    const validation = problem.validation ?? [
      { message: problem.detail ?? problem.title ?? "no detail" },
    ];
    return validation.map(({ location = [], message }) => ({
      operation,
      path: location.join("."),
      message,
    }));
  }
  if (answer.status < 400) return [];
  return [
    {
      operation,
      path: "status",
      message: `${answer.status} ${answer.text.slice(0, BODY_CHARS_MAX)}`,
    },
  ];
}

import { isUtf8 } from "node:buffer";
import { SerializerSelector as createSerializerFactory } from "@fastify/fast-json-stringify-compiler";
import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from "fastify";
import type { TSchema } from "typebox";
import { compileLazily, createAjv } from "../kernel/schemas.ts";

/**
 * Compiles the schemas of routes: bodies as they came, everything else coerced from text. Handlers
 * get the query parameters that their route declares and no others, unless its schema says
 * `additionalProperties: true`, so that no caller slips a field into what a handler makes of them.
 */
export function compileValidators(): FastifySchemaCompiler<TSchema> {
  const bodies = createAjv(false);
  const texts = createAjv("array");
  return ({ schema, httpPart }) => {
    const checked = httpPart === "querystring" ? closed(schema) : schema;
    const validate = compileLazily(httpPart === "body" ? bodies : texts, checked);
    return (data) => {
      const errors = validate(data);
      return errors === null || { error: errors };
    };
  };
}

/**
 * Compiles the schemas of responses, each at its first use: compiling them all takes longer than the
 * rest of the start.
 */
export function compileSerializers(): FastifySerializerCompiler<TSchema> {
  const compile = createSerializerFactory()({}, {});
  return (route) => {
    let serialize: ((data: unknown) => string) | undefined;
    return (data) => (serialize ??= compile({ httpStatus: "", ...route }))(data);
  };
}

function closed(schema: TSchema): TSchema {
  if (!("properties" in schema) || "additionalProperties" in schema) return schema;
  return { ...schema, additionalProperties: false };
}

/** JSON is what bodies are, where a route does not say otherwise. */
export function registerJsonBodies(http: FastifyInstance): void {
  http.removeAllContentTypeParsers();
  addJsonParser(http, ["application/json", "application/merge-patch+json"]);
}

/**
 * Reads bodies of these content types as JSON, for the routes of `http`: UTF-8 or 400, no
 * `__proto__`, and none at all where a route asks for nothing.
 */
export function addJsonParser(http: FastifyInstance, types: string[]): void {
  const parse = http.getDefaultJsonParser("error", "ignore");
  http.addContentTypeParser<Buffer>(types, { parseAs: "buffer" }, (req, body, done) => {
    if (body.length === 0) return done(null, undefined);
    if (!isUtf8(body)) return done(toBodyError("The body is not valid UTF-8."));
    const text = body.toString();
    return parse(req, text, (error, json) =>
      error ? done(toBodyError(`The body ${toFault(text)}.`)) : done(null, json),
    );
  });
}

function toFault(text: string): string {
  return text.includes("__proto__")
    ? "is not valid JSON, or has a member named __proto__, which is not taken"
    : "is not valid JSON";
}

function toBodyError(message: string): Error {
  return Object.assign(new Error(message), {
    statusCode: 400,
    code: "FST_ERR_CTP_INVALID_JSON_BODY",
  });
}

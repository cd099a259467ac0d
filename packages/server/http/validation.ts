import { isUtf8 } from "node:buffer";
import { SerializerSelector as createSerializerFactory } from "@fastify/fast-json-stringify-compiler";
import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from "fastify";
import { type TSchema, Type } from "typebox";
import { compileLazily, createAjv } from "../kernel/schemas.ts";

/**
 * Compiles the schemas of routes. Bodies are validated as they are, everything else is coerced from text.
 * Query parameters that the route does not declare are rejected, unless its schema has
 * `additionalProperties: true`, so that none reaches what a handler derives from them.
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
 * Compiles the schema of each response at its first use: compiling all of them takes longer than the rest of
 * the start.
 */
export function compileSerializers(): FastifySerializerCompiler<TSchema> {
  const compile = createSerializerFactory()({}, {});
  return (route) => {
    let serialize: ((data: unknown) => string) | undefined;
    return (data) => (serialize ??= compile({ httpStatus: "", ...route }))(data);
  };
}

/** A body without fields. A missing one is validated as null. */
const EmptyIn = Type.Union([Type.Object({}), Type.Null()]);

/**
 * Lets documented writes whose routes declare no body take none, an empty one or an object (wire section 9). Register it
 * before the routes.
 */
export function registerEmptyBodies(http: FastifyInstance): void {
  http.addHook("onRoute", ({ method, schema }) => {
    const isWrite = [method].flat().some((name) => name === "POST" || name === "PUT");
    if (isWrite && schema?.tags) schema.body ??= EmptyIn;
  });
}

function closed(schema: TSchema): TSchema {
  if (!("properties" in schema) || "additionalProperties" in schema) return schema;
  return { ...schema, additionalProperties: false };
}

/** Parses bodies as JSON unless a route declares another type. */
export function registerJsonBodies(http: FastifyInstance): void {
  http.removeAllContentTypeParsers();
  addJsonParser(http, ["application/json", "application/merge-patch+json"]);
}

/**
 * Parses bodies of these content types as JSON, for the routes of `http`. A body that is not UTF-8 or has a
 * member `__proto__` is answered with 400, and an empty one is `undefined`.
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
    ? "is not valid JSON, or has a member named __proto__, which is not allowed"
    : "is not valid JSON";
}

function toBodyError(message: string): Error {
  return Object.assign(new Error(message), {
    statusCode: 400,
    code: "FST_ERR_CTP_INVALID_JSON_BODY",
  });
}

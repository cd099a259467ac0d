import { Type } from "typebox";
import { ScanResult, phaseNames } from "@avow/scanner/result";
import { causes, statuses } from "./store.ts";

const Id = Type.String({ pattern: "^[0-9a-f]{24}$" });
const Time = Type.String({ format: "date-time" });
const orNull = <T extends ReturnType<typeof Type.String | typeof Type.Integer>>(
  schema: T,
  about: { description?: string } = {},
) => Type.Union([schema, Type.Null()], about);
const enumOf = <const T extends string>(
  values: readonly T[],
  about: { description?: string } = {},
) => Type.Unsafe<T>({ type: "string", enum: [...values], ...about });

export const ScansParams = Type.Object({ projectId: Id });
export const ScanParams = Type.Object({ projectId: Id, scanId: Id });

export const ScanIn = Type.Union([
  Type.Object({
    pages: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        description: "Maximum number of pages. Default: of the project's settings, else 10.",
      }),
    ),
  }),
  Type.Null(),
]);

const fields = {
  id: Id,
  projectId: Id,
  status: enumOf(statuses),
  cause: enumOf(causes, { description: "Why the scan was started." }),
  url: Type.String(),
  pagesMax: Type.Integer(),
  version: orNull(Type.Integer(), {
    description: "The version that was live when the scan started; null before, and without one.",
  }),
  hash: orNull(Type.String(), { description: "SHA-256 of that version's content." }),
  resultHash: orNull(Type.String(), {
    description: "SHA-256 of the result as canonical JSON (RFC 8785).",
  }),
  progress: Type.Union([
    Type.Object({
      phase: enumOf(phaseNames),
      pages: Type.Integer(),
      pagesMax: Type.Integer(),
    }),
    Type.Null(),
  ]),
  message: orNull(Type.String(), { description: "Why the scan failed." }),
  createdAt: Time,
  createdBy: Type.String(),
  startedAt: orNull(Time),
  endedAt: orNull(Time),
  links: Type.Object({ self: Type.String(), project: Type.String() }),
};

export const ScanOut = Type.Object(fields, { title: "Scan" });
export const ScanWithResultOut = Type.Object(
  { ...fields, result: Type.Union([ScanResult, Type.Null()]) },
  { title: "ScanWithResult" },
);

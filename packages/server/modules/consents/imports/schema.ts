import { Type, type Static } from "typebox";
import { statuses } from "./store.ts";

const Id = Type.String({ pattern: "^[0-9a-f]{24}$" });
const Time = Type.String({ format: "date-time" });
const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const ImportOut = Type.Object(
  {
    _id: Id,
    id: Id,
    projectId: Id,
    status: Type.Unsafe<(typeof statuses)[number]>({ type: "string", enum: [...statuses] }),
    dryRun: Type.Boolean({ description: "Whether the file is only read and checked." }),
    format: Type.String(),
    size: Count("Size of the decompressed file in bytes."),
    sha256: Type.String({ description: "SHA-256 of the decompressed file." }),
    read: Count("Entries read so far: those imported, known and rejected."),
    imported: Count("New records; with `dryRun`, those that would be."),
    known: Count("Entries that the project has already."),
    refused: Count("Lines that could not be imported."),
    progress: Type.Number({ minimum: 0, maximum: 1 }),
    message: Type.Optional(Type.String({ description: "Why it failed, and what to do." })),
    createdAt: Time,
    startedAt: Type.Optional(Time),
    endedAt: Type.Optional(Time),
    links: Type.Object({
      self: Type.String(),
      project: Type.String(),
      imports: Type.String(),
      refused: Type.Optional(Type.String({ description: "The rejected lines, with reasons." })),
    }),
  },
  { title: "Import" },
);
export type ImportOut = Static<typeof ImportOut>;

export const ProjectParams = Type.Object({ projectId: Type.String({ maxLength: 64 }) });
export const ImportParams = Type.Object({
  projectId: Type.String({ maxLength: 64 }),
  id: Type.String({ maxLength: 64 }),
});
export const ImportQuery = Type.Object({
  dryRun: Type.Boolean({
    default: false,
    description: "Reads and validates the file, and reports what an import would do.",
  }),
});

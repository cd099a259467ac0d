import type { SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { Encoder } from "./encoder.ts";
import type { Page } from "./pages.ts";
import type { Column } from "./store.ts";

interface ParquetColumn {
  element: SchemaElement;
  column: Column;
  toValue: (text: string) => unknown;
  /** Distinct in every record: a dictionary would be in vain. */
  isDistinct?: boolean;
}

const text = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
const instant = { type: "INT64", converted_type: "TIMESTAMP_MILLIS" } as const;
const required = { repetition_type: "REQUIRED" } as const;
const optional = { repetition_type: "OPTIONAL" } as const;
const orNull = (value: string) => (value === "" ? null : value);

/** JSON is text here: readers disagree on what they make of Parquet's own type for it. */
const columns: readonly ParquetColumn[] = [
  {
    element: { name: "consentId", ...text, ...required },
    column: "id",
    toValue: String,
    isDistinct: true,
  },
  {
    element: { name: "token", ...text, ...required },
    column: "token",
    toValue: String,
    isDistinct: true,
  },
  { element: { name: "collection", ...text, ...required }, column: "collection", toValue: String },
  { element: { name: "identifier", ...text, ...required }, column: "identifier", toValue: String },
  {
    element: { name: "createdAt", ...instant, ...required },
    column: "createdAt",
    toValue: BigInt,
    isDistinct: true,
  },
  { element: { name: "value", ...text, ...optional }, column: "value", toValue: orNull },
  {
    element: { name: "preferences", ...text, ...optional },
    column: "preferences",
    toValue: orNull,
  },
  {
    element: { name: "version", type: "INT32", ...optional },
    column: "version",
    toValue: (value) => (value === "" ? null : Number(value)),
  },
  {
    element: { name: "timestamp", ...instant, ...optional },
    column: "timestamp",
    toValue: (value) => (value === "" ? null : BigInt(value)),
  },
  { element: { name: "language", ...text, ...optional }, column: "language", toValue: orNull },
  { element: { name: "url", ...text, ...optional }, column: "url", toValue: orNull },
  { element: { name: "country", ...text, ...optional }, column: "country", toValue: orNull },
  { element: { name: "userAgent", ...text, ...required }, column: "userAgent", toValue: String },
  { element: { name: "import", ...text, ...optional }, column: "import", toValue: orNull },
  { element: { name: "warnings", ...text, ...optional }, column: "warnings", toValue: orNull },
  { element: { name: "grade", ...text, ...required }, column: "grade", toValue: String },
  {
    element: { name: "gpc", type: "BOOLEAN", ...optional },
    column: "gpc",
    toValue: (value) => (value === "" ? null : value === "true"),
  },
  {
    element: { name: "displayedAt", ...instant, ...optional },
    column: "displayedAt",
    toValue: (value) => (value === "" ? null : BigInt(value)),
  },
];
const accept: SchemaElement = { name: "accept", type: "BOOLEAN", ...required };
const schema: SchemaElement[] = [
  { name: "consents", num_children: columns.length + 1 },
  ...columns.map(({ element }) => element),
  accept,
];

/**
 * Apache Parquet, compressed by Snappy, a row group for each page. Of every row group the footer has
 * a kilobyte or so, which is kept until the end: 200 bytes for a thousand records.
 */
export function openParquet({ projectId }: { projectId: string }): Encoder {
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({
    writer: bytes,
    schema,
    statistics: false,
    createdBy: "Avow",
    kvMetadata: [{ key: "projectId", value: projectId }],
  });
  /** What was written since the last time; the writer's offsets go on. */
  const take = (): Uint8Array[] => {
    const taken = bytes.getBytes().slice();
    bytes.index = 0;
    return [taken];
  };
  return {
    columns: columns.map(({ column }) => column),
    isAppendable: false,
    begin: take,
    encode(page) {
      if (page.count > 0)
        void writer.write({ columnData: toColumnData(page), rowGroupSize: page.count });
      return take();
    },
    end() {
      void writer.finish();
      return take();
    },
  };
}

function toColumnData(page: Page) {
  const data = columns.map(({ element, column, toValue, isDistinct = false }) => ({
    name: element.name,
    data: page.valuesOf(column).map(toValue),
    offsetIndex: false,
    ...(isDistinct ? { encoding: "PLAIN" as const } : {}),
    statistics: element.name === "createdAt",
  }));
  const accepted = Array.from(page.accept, (digit) => digit === "1");
  return [...data, { name: accept.name, data: accepted, offsetIndex: false }];
}

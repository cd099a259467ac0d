import type { SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { Encoder } from "./encoder.ts";
import type { ColumnType } from "../../../platform/db/composite.ts";
import { columns } from "../records/row.ts";
import type { Page } from "./pages.ts";
import { type Column, exportedColumns } from "./store.ts";

/** The Parquet types of PostgreSQL types. JSON is stored as text: readers disagree on Parquet's JSON type. */
const text = { element: { type: "BYTE_ARRAY", converted_type: "UTF8" }, toValue: String } as const;
const types = {
  text,
  uuid: text,
  json: text,
  jsonb: text,
  bytea: text,
  integer: { element: { type: "INT32" }, toValue: Number },
  boolean: { element: { type: "BOOLEAN" }, toValue: (value: string) => value === "true" },
  timestamptz: { element: { type: "INT64", converted_type: "TIMESTAMP_MILLIS" }, toValue: BigInt },
} as const satisfies Record<
  ColumnType,
  { element: Partial<SchemaElement>; toValue: (value: string) => unknown }
>;
/** Columns with distinct values, for which a dictionary is useless. */
const distinct = new Set<Column>(["id", "token", "created_at"]);

const toElement = (name: Column | "accept"): SchemaElement => {
  const { exported, type, isOptional } = columns[name];
  const repetition_type = isOptional ? "OPTIONAL" : "REQUIRED";
  return { name: exported, ...types[type].element, repetition_type };
};
const accept = toElement("accept");
const schema: SchemaElement[] = [
  { name: "consents", num_children: exportedColumns.length + 1 },
  ...exportedColumns.map(toElement),
  accept,
];

/**
 * Apache Parquet, compressed by Snappy, with a row group per page. The footer, in memory until the end, has about a
 * kilobyte per row group: 200 bytes for a thousand records.
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
  /** The bytes written since the last call; the writer's offsets continue. */
  const take = (): Uint8Array[] => {
    const taken = bytes.getBytes().slice();
    bytes.index = 0;
    return [taken];
  };
  return {
    columns: exportedColumns,
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
  const data = exportedColumns.map((name) => ({
    name: columns[name].exported,
    data: toValues(page, name),
    offsetIndex: false,
    ...(distinct.has(name) ? { encoding: "PLAIN" as const } : {}),
    statistics: name === "created_at",
  }));
  const accepted = Array.from(page.accept, (digit) => digit === "1");
  return [...data, { name: accept.name, data: accepted, offsetIndex: false }];
}

function toValues(page: Page, name: Column): unknown[] {
  const { type, isOptional } = columns[name];
  const { toValue } = types[type];
  const values = page.valuesOf(name);
  if (!isOptional) return values.map((value) => toValue(value));
  return values.map((value) => (value === "" ? null : toValue(value)));
}

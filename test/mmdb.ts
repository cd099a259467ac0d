// A writer of small MMDB files (MaxMind DB file format 2.0), for tests.
import { writeFile } from "node:fs/promises";

const MAP = 7;
const STRING = 2;
const UINT16 = 5;
const UINT32 = 6;
const UINT64 = 9;
const ARRAY = 11;
const EXTENDED = 0;
const FIRST_EXTENDED = 7;
const SIZE_MAX = 28;
const RECORD_BYTES = 4;
const SEPARATOR_BYTES = 16;
const ADDRESS_BITS = 32;

type Value = string | number | readonly Value[] | { readonly [key: string]: Value };

function encode(value: Value, numberType = UINT32): Buffer {
  if (typeof value === "string") return withControl(STRING, Buffer.from(value));
  if (typeof value === "number") {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(BigInt(value));
    const first = bytes.findIndex((byte) => byte !== 0);
    return withControl(numberType, bytes.subarray(first < 0 ? 8 : first));
  }
  if (Array.isArray(value))
    return Buffer.concat([
      toControl(ARRAY, value.length),
      ...value.map((one: Value) => encode(one)),
    ]);
  const entries = Object.entries(value);
  const parts = entries.flatMap(([key, inner]) => [encode(key), encode(inner, toNumberType(key))]);
  return Buffer.concat([toControl(MAP, entries.length), ...parts]);
}

function toNumberType(key: string): number {
  if (key === "build_epoch") return UINT64;
  return key === "node_count" ? UINT32 : UINT16;
}

function withControl(type: number, content: Buffer): Buffer {
  return Buffer.concat([toControl(type, content.length), content]);
}

function toControl(type: number, size: number): Buffer {
  if (size > SIZE_MAX) throw new Error(`No value of this file has ${size} bytes.`);
  return type > FIRST_EXTENDED
    ? Buffer.from([(EXTENDED << 5) | size, type - FIRST_EXTENDED])
    : Buffer.from([(type << 5) | size]);
}

/** Writes a file with a value for each IPv4 address, such as `{ "203.0.113.7": { country: { iso_code: "FR" } } }`. */
export async function writeMmdb(path: string, values: Record<string, Value>): Promise<void> {
  const nodes: [left: number | undefined, right: number | undefined][] = [[undefined, undefined]];
  const data: Buffer[] = [];
  const leaves: { node: number; side: 0 | 1; offset: number }[] = [];
  let offset = 0;
  for (const [address, value] of Object.entries(values)) {
    const bits = address
      .split(".")
      .map((part) => Number(part).toString(2).padStart(8, "0"))
      .join("");
    let at = 0;
    for (let index = 0; index < ADDRESS_BITS; index += 1) {
      const side = bits[index] === "1" ? 1 : 0;
      const node = nodes[at];
      if (!node) throw new Error("A node is missing.");
      if (index === ADDRESS_BITS - 1) leaves.push({ node: at, side, offset });
      else if (node[side] === undefined) {
        node[side] = nodes.length;
        nodes.push([undefined, undefined]);
      }
      at = node[side] ?? at;
    }
    const encoded = encode(value);
    data.push(encoded);
    offset += encoded.length;
  }
  for (const leaf of leaves) {
    const node = nodes[leaf.node];
    if (node) node[leaf.side] = nodes.length + SEPARATOR_BYTES + leaf.offset;
  }
  const tree = Buffer.alloc(nodes.length * 2 * RECORD_BYTES);
  for (const [index, records] of nodes.entries())
    for (const [side, record] of records.entries())
      tree.writeUInt32BE(record ?? nodes.length, (index * 2 + side) * RECORD_BYTES);
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_760_000_000,
    database_type: "Test-City",
    description: { en: "test" },
    ip_version: 4,
    languages: ["en"],
    node_count: nodes.length,
    record_size: RECORD_BYTES * 8,
  });
  const marker = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from("MaxMind.com")]);
  await writeFile(
    path,
    Buffer.concat([tree, Buffer.alloc(SEPARATOR_BYTES), ...data, marker, metadata]),
  );
}

/** A JSON text that a service must reject, and why. */
export interface HostileText {
  name: string;
  text: string;
}

const DEPTH = 10_000;
const MEMBERS = 60_000;

/** Texts of `body`, an object, with one part that no service can store. */
export function malformedTexts(body: Record<string, unknown>): HostileText[] {
  const put = (member: string): string => {
    const text = JSON.stringify(body);
    return text === "{}" ? `{${member}}` : `${text.slice(0, -1)},${member}}`;
  };
  const deep = (open: string, close: string, depth = DEPTH): string =>
    put(`"extra":${open.repeat(depth)}0${close.repeat(depth)}`);
  return [
    { name: "a NUL in a value", text: put(String.raw`"extra":"a\u0000b"`) },
    { name: "a NUL in a key", text: put(String.raw`"ex\u0000tra":1`) },
    { name: "a nested NUL", text: put(String.raw`"extra":[{"a":[["\u0000"]]}]`) },
    { name: "a high surrogate alone in a value", text: put(String.raw`"extra":"\ud800"`) },
    { name: "a low surrogate alone in a value", text: put(String.raw`"extra":"a\udc00b"`) },
    { name: "a high surrogate alone in a key", text: put(String.raw`"\udfff":1`) },
    { name: "a number out of range", text: put('"extra":1e400') },
    { name: "a negative number out of range", text: put('"extra":[-1e400]') },
    { name: "arrays 5,000 deep", text: deep("[", "]", DEPTH / 2) },
    { name: "arrays 65 deep", text: deep("[", "]", 65) },
    { name: "arrays 10,000 deep", text: deep("[", "]") },
    { name: "objects 10,000 deep", text: deep('{"a":', "}") },
    { name: "arrays 10,000 deep, never closed", text: put(`"extra":${"[".repeat(DEPTH)}`) },
    { name: "__proto__", text: put('"__proto__":{"admin":true}') },
    { name: "__proto__, escaped", text: put(String.raw`"\u005f_proto__":{"admin":true}`) },
    { name: "a nested __proto__", text: put('"extra":[{"__proto__":1}]') },
    { name: "too many values", text: put(`"extra":[${"0,".repeat(MEMBERS * 2)}0]`) },
  ];
}

/** Texts that are not JSON. */
export const brokenTexts: readonly HostileText[] = [
  { name: "no value", text: " " },
  { name: "a word", text: "undefined" },
  { name: "NaN", text: '{"a":NaN}' },
  { name: "single quotes", text: "{'a':1}" },
  { name: "a trailing comma", text: '{"a":1,}' },
  { name: "two values", text: "{}{}" },
  { name: "a comment", text: '{"a":1}//' },
  { name: "a raw line break in a string", text: '{"a":"\n"}' },
  { name: "a bad escape", text: String.raw`{"a":"\x00"}` },
  { name: "a leading zero", text: '{"a":01}' },
  { name: "a hexadecimal number", text: '{"a":0x10}' },
  { name: "a raw NUL", text: '{"a":"\0"}' },
  { name: "a form", text: "a=1&b=2" },
  { name: "XML", text: '<?xml version="1.0"?><a/>' },
];

const bytes = (...parts: (string | number[])[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string))));

/** Bytes that are not UTF-8, in a JSON string. */
export const brokenBytes: readonly { name: string; body: Uint8Array<ArrayBuffer> }[] = [
  { name: "a byte that never occurs in UTF-8", body: bytes('{"a":"', [0xff], '"}') },
  { name: "Latin-1", body: bytes('{"a":"caf', [0xe9], '"}') },
  { name: "a truncated sequence", body: bytes('{"a":"', [0xf0, 0x9f, 0x98], '"}') },
  { name: "an overlong slash", body: bytes('{"a":"', [0xc0, 0xaf], '"}') },
  { name: "an encoded surrogate", body: bytes('{"a":"', [0xed, 0xa0, 0x80], '"}') },
  { name: "UTF-16", body: new Uint8Array(Buffer.from('\uFEFF{"a":1}', "utf16le")) },
];

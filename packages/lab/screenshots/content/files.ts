import sharp from "sharp";
import type { Site } from "../../demo/setup.ts";

/** A drawing of a pot on a table, as the product picture of a pottery shop. */
function toPot(ground: string, table: string, clay: string, shade: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1500" height="1000" viewBox="0 0 150 100">
    <defs><linearGradient id="c" x1="0" x2="1"><stop stop-color="${clay}"/><stop offset="1" stop-color="${shade}"/></linearGradient></defs>
    <rect width="150" height="100" fill="${ground}"/><rect y="70" width="150" height="30" fill="${table}"/>
    <ellipse cx="75" cy="84" rx="34" ry="4" fill="#000" opacity=".18"/>
    <path d="M55 34h40c9 16 9 36-4 50H59C46 70 46 50 55 34z" fill="url(#c)"/><ellipse cx="75" cy="34" rx="20" ry="4" fill="${shade}"/>
  </svg>`;
}

const pots = {
  "harvest-vase.jpg": ["#efe3d3", "#cdb598", "#c8683c", "#8f3f1f"],
  "tea-bowl-blue.webp": ["#dfe6ea", "#b3a48f", "#4c7a9c", "#274b66"],
  "kiln-morning.png": ["#2f2a2d", "#4a3b33", "#e0a458", "#a4501f"],
  "glaze-test-47.jpg": ["#eef0e6", "#c9c3ac", "#7f9a6a", "#45603a"],
  "workshop-spring.webp": ["#f4e9ee", "#d7b9a4", "#b86a84", "#74384e"],
} as const;
const mark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 72 72"><path d="M20 22h28l-3 26q-.6 5-5.600 5H28.600q-5 0-5.600-5z" fill="#b4532a"/><path d="M47 28c14-2 14 16-1 17" fill="none" stroke="#b4532a" stroke-width="5"/></svg>`;
const terms =
  "%PDF-1.4\n1 0 obj <</Type/Catalog>> endobj\ntrailer <</Root 1 0 R>>\nstartxref\n9\n%%EOF\n";

/** Uploads a shop's pictures and its terms; returns the id of the first file. */
export async function addFiles({ token, fileUrl }: Site): Promise<string> {
  const files: [name: string, bytes: Uint8Array | string][] = [["terms-2026.pdf", terms]];
  files.push(["hearth-and-clay.svg", mark]);
  for (const [name, [ground, table, clay, shade]] of Object.entries(pots)) {
    const drawn = sharp(Buffer.from(toPot(ground, table, clay, shade)));
    const format = name.slice(name.lastIndexOf(".") + 1).replace("jpg", "jpeg") as "jpeg" | "webp";
    files.push([name, await drawn.toFormat(format, { quality: 90 }).toBuffer()]);
  }
  let first = "";
  for (const [name, bytes] of files.toReversed()) {
    const body = new FormData();
    body.append(
      "file",
      new Blob([typeof bytes === "string" ? bytes : new Uint8Array(bytes)]),
      name,
    );
    const answer = await fetch(new URL("/v1/assets", fileUrl), {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body,
      signal: AbortSignal.timeout(30_000),
    });
    if (!answer.ok) throw new Error(`The upload of ${name} was rejected: ${await answer.text()}`);
    const [asset] = (await answer.json()) as { id: string }[];
    if (first === "") first = asset?.id ?? "";
  }
  return first;
}

import { request } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

const BOUNDARY = "avow-bench";

/** Uploads one file like a form; returns the asset. Throws with the response if it is rejected. */
export async function sendFile(
  url: string,
  token: string,
  parts: readonly Buffer[],
): Promise<{ id: string; url: string }> {
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n`;
  const all = [Buffer.from(head), ...parts, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)];
  const sent = request(`${url}/v1/assets`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
      "content-length": String(all.reduce((sum, { length }) => sum + length, 0)),
    },
  });
  const answered = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    sent.once("error", reject);
    sent.once("response", (answer) => {
      void answer
        .setEncoding("utf8")
        .toArray()
        .then((texts) => resolve({ status: answer.statusCode, text: texts.join("") }), reject);
    });
  });
  await Promise.all([answered, pipeline(Readable.from(all), sent)]);
  const { status, text } = await answered;
  if (status !== 200) throw new Error(`An upload failed with ${status}: ${text.slice(0, 300)}`);
  const [asset] = JSON.parse(text) as { id: string; url: string }[];
  if (!asset) throw new Error("An upload created no asset.");
  return asset;
}

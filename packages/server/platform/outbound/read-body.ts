/**
 * Reads the body of a response.
 * @throws Error for more than `bytesMax`
 */
export async function readBody(response: Response, bytesMax: number): Promise<Buffer> {
  const blocks: Uint8Array[] = [];
  let bytes = 0;
  for await (const block of response.body ?? []) {
    bytes += block.length;
    if (bytes > bytesMax) throw new Error("response too long");
    blocks.push(block);
  }
  return Buffer.concat(blocks);
}

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { type Operation, listOperations, takesNoField } from "../hostile/operations.ts";
import { type RequestOverrides, createProbe } from "../hostile/probe.ts";
import { newWorld } from "../hostile/world.ts";
import { addFactor } from "./factors.ts";

const type = { "content-type": "application/json" };
const length = { "content-length": "0" };
const accepted: Record<string, RequestOverrides> = {
  "no body": {},
  "an empty body": { headers: length },
  "an empty body with a content type": { headers: { ...length, ...type } },
  "an empty form": { headers: { ...length, "content-type": "application/x-www-form-urlencoded" } },
  "no body with a content type": { headers: type },
  "an empty object": { json: {} },
  "an object with unknown fields": { json: { unknown: [1] } },
};
const rejected: Record<string, RequestOverrides> = {
  "an array": { json: [] },
  null: { json: null },
  "a number": { json: 1 },
  "a text": { json: "{}" },
  "half an object": { body: '{"a":', headers: type },
};

describe("a POST without fields", async () => {
  const operations = await listOperations();
  const world = await newWorld(operations);
  const probe = createProbe(world, { countEach: false });

  /** Recovery codes belong to a second factor, which the world's owner does not have. */
  async function toSender(operation: Operation): Promise<RequestOverrides> {
    if (operation.operationId !== "renewRecoveryCodes") return {};
    const { token } = await service.newUser();
    await addFactor(token);
    return { token };
  }

  const withoutFields = operations.filter(takesNoField);
  // Other operations need the published version.
  const isLast = ({ operationId }: Operation) => operationId === "unpublishProjectByPost";
  for (const operation of withoutFields.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b))))
    it(`takes none, an empty body or an object: ${operation.method} ${operation.path}`, async () => {
      const sender = await toSender(operation);
      for (const [name, given] of Object.entries(rejected)) {
        const { status, body } = await probe.send(operation, { ...given, ...sender });
        assert.equal(status, 400, `${name}: ${JSON.stringify(body)}`);
        assert.match(body.detail, /must be object|must not be null|is not valid JSON/, name);
      }
      const statuses: number[] = [];
      for (const [name, given] of Object.entries(accepted)) {
        const { status, body } = await probe.send(operation, { ...given, ...sender });
        // Some work once, or a few times an hour.
        const isFine = status < 300 || [403, 404, 409, 429].includes(status);
        assert.ok(isFine, `${name}: ${status} ${JSON.stringify(body)}`);
        statuses.push(status);
      }
      assert.ok((statuses[0] ?? 0) < 300, statuses.join());
    });
});

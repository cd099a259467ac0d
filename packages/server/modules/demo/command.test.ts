import assert from "node:assert/strict";
import { test } from "node:test";
import { loadConfig } from "../../config/config.ts";
import { toDemoCommand } from "./command.ts";

const commandOf = (env: Record<string, string>): string =>
  toDemoCommand(loadConfig(env).config.http);

test("sets the variables by which the demo finds the service", () => {
  assert.equal(commandOf({}), "npm run demo");
  assert.equal(commandOf({ HOST: "0.0.0.0" }), "npm run demo");
  assert.equal(commandOf({ PORT: "3000" }), "PORT=3000 npm run demo");
  assert.equal(commandOf({ HOST: "::1" }), "PUBLIC_URL='http://[::1]:8080' npm run demo");
  assert.equal(
    commandOf({ PORT: "3000", PUBLIC_URL: "https://consent.example/avow" }),
    "PUBLIC_URL=https://consent.example/avow npm run demo",
  );
  assert.equal(
    commandOf({ PUBLIC_URL: "https://consent.example/a;b'c" }),
    "PUBLIC_URL='https://consent.example/a;b%27c' npm run demo",
  );
});

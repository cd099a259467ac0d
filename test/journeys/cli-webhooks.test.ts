import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Webhook } from "standardwebhooks";
import { runAvow, toCaller } from "../command.ts";
import { service } from "../harness.ts";
import { openReceiver } from "../stand-ins/receiver.ts";

const { fetch, newOwner } = service;

describe("avow webhooks listen", () => {
  it("forwards what happens, signed with the secret that it prints, and tells what was answered", async () => {
    const { token, project } = await newOwner();
    await using receiver = await openReceiver((received, answer) => {
      answer.statusCode = received.body.data.version === 3 ? 500 : 200;
    });
    const rename = (title: string) =>
      fetch(`/v1/vault/projects/${project.id}`, { method: "PATCH", token, json: { title } });
    let isListening = false;
    const args = ["webhooks", "listen", "--forward", `${receiver.url}/hook`];
    const { code, out, err } = await runAvow(
      [...args, "--events", "project.updated", "--project", project.id, "--count", "2"],
      {
        env: toCaller(service.url, token),
        onTold: (told) => {
          if (isListening || !told.err.includes("whsec_")) return;
          isListening = true;
          void rename("One").then(() => rename("Two"));
        },
      },
    );
    assert.equal(code, 0, err);
    const secret = /whsec_\S+/.exec(err)?.[0] ?? "";
    assert.equal(receiver.received.length, 2);
    for (const { text, headers } of receiver.received)
      new Webhook(secret).verify(text, headers as Record<string, string>);
    const [first, second] = out.trimEnd().split("\n");
    assert.match(first ?? "", /^\d\d:\d\d:\d\d ✓ project\.updated msg_event_\d+ → 200 in \d+ ms$/);
    assert.match(second ?? "", /✗ project\.updated \S+ → 500/);
  });

  it("ends with Ctrl-C, and says what is wrong with its arguments", async () => {
    const { token } = await newOwner();
    const env = toCaller(service.url, token);
    const listen = ["webhooks", "listen"];
    const ended = await runAvow([...listen, "--forward", "http://127.0.0.1:9/"], {
      env,
      onTold: (told, interrupt) => {
        if (told.err.includes("whsec_")) interrupt();
      },
    });
    assert.equal(ended.code, 130);
    for (const [args, pattern] of [
      [listen, /--forward http/],
      [[...listen, "--forward", "ftp://x"], /http or https/],
      [[...listen, "--forward", "http://127.0.0.1:9/", "--count", "0"], /from 1/],
      [[...listen, "--forward", "http://127.0.0.1:9/", "--secret", "x"], /whsec_/],
      [["webhooks", "shout"], /No command webhooks shout/],
    ] as const) {
      const { code, err } = await runAvow(args, { env });
      assert.equal(code, 2, err);
      assert.match(err, pattern);
    }
    const help = await runAvow([...listen, "--help"], { env });
    assert.match(help.out, /--forward URL[^]*--events[^]*--secret/);
  });
});

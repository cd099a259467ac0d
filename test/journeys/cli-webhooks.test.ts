import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Webhook } from "standardwebhooks";
import { runAvow, toCaller } from "../command.ts";
import { paths } from "@avow/contract/urls";
import { openTestDatabase } from "../database.ts";
import { type TestRequest, service } from "../harness.ts";
import { openAnotherService } from "../interface/another-service.ts";
import { openReceiver } from "../stand-ins/receiver.ts";

const { fetch, newOwner } = service;

describe("avow webhooks listen", () => {
  it("forwards events, signed with the secret that it prints, and prints each answer", async () => {
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
        onOutput: (output) => {
          if (isListening || !output.err.includes("whsec_")) return;
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
    assert.match(
      first ?? "",
      /^\d\d:\d\d:\d\d ✓ project\.updated msg_event_[0-9a-f]{32} → 200 in \d+ ms$/,
    );
    assert.match(second ?? "", /✗ project\.updated \S+ → 500/);
  });

  it("waits while the service is down, and resumes with the events since", async () => {
    await using database = await openTestDatabase();
    let node = await openAnotherService(database.url);
    const { url, port } = node;
    const send = (path: string, request: TestRequest) => fetch(url + path, request);
    const account = { email: "owner@shop.example", password: "correct horse" };
    const { token } = (await send(paths.signup, { json: account })).body;
    const create = (title: string) =>
      send("/v1/vault/projects", { token, json: { websiteURL: "https://shop.example", title } });
    await using receiver = await openReceiver();
    let stopping: PromiseLike<void> | undefined;
    const restartService = async (): Promise<void> => {
      // Until then, requests on open connections still reach the old service.
      await stopping;
      node = await openAnotherService(database.url, { PORT: String(port) });
      assert.equal((await create("Two")).status, 201);
    };
    let step = 0;
    const args = ["webhooks", "listen", "--forward", receiver.url, "--events", "project.created"];
    const { code, out, err } = await runAvow([...args, "--count", "2"], {
      env: toCaller(url, token),
      onOutput: (output) => {
        if (step === 0 && output.err.includes("whsec_")) {
          step = 1;
          void create("One");
        } else if (step === 1 && output.out.includes("→ 200")) {
          step = 2;
          stopping = node[Symbol.asyncDispose]();
        } else if (step === 2 && output.err.includes("Retrying")) {
          step = 3;
          void restartService();
        }
      },
    });
    try {
      assert.equal(code, 0, err);
      assert.equal(step, 3);
      assert.match(err, /(service at .* is unreachable|returned 503).*Retrying; no event is lost/);
      assert.match(err, /^Connected again\.$/m);
      assert.equal(out.trimEnd().split("\n").length, 2);
      assert.equal(receiver.received.length, 2);
    } finally {
      await node[Symbol.asyncDispose]();
    }
  });

  it("explains an invalid key, and a service that does not answer", async () => {
    const { token } = await newOwner();
    const { body } = await fetch("/v1/auth/tokens", {
      token,
      json: { label: "machine", scopes: ["vault:read"] },
    });
    const listen = ["webhooks", "listen", "--forward", "http://127.0.0.1:9/"];
    for (const [url, key, pattern] of [
      [service.url, "no-such-token", /^The service returned 403: .*token/],
      [service.url, body.token, /^The service returned 403: .*webhooks:read/],
      ["http://127.0.0.1:9", token, /^The service at http:\/\/127\.0\.0\.1:9 is unreachable: /],
    ] as const) {
      const { code, err } = await runAvow(listen, { env: toCaller(url, key) });
      assert.equal(code, 1, err);
      assert.match(err, pattern);
    }
  });

  it("exits on Ctrl-C, and explains invalid arguments", async () => {
    const { token } = await newOwner();
    const env = toCaller(service.url, token);
    const listen = ["webhooks", "listen"];
    const ended = await runAvow([...listen, "--forward", "http://127.0.0.1:9/"], {
      env,
      onOutput: (output, interrupt) => {
        if (output.err.includes("whsec_")) interrupt();
      },
    });
    assert.equal(ended.code, 130);
    for (const [args, pattern] of [
      [listen, /--forward http/],
      [[...listen, "--forward", "ftp://x"], /http or https/],
      [[...listen, "--forward", "http://127.0.0.1:9/", "--count", "0"], /from 1/],
      [[...listen, "--forward", "http://127.0.0.1:9/", "--secret", "x"], /whsec_/],
      [["webhooks", "shout"], /Unknown command webhooks shout/],
    ] as const) {
      const { code, err } = await runAvow(args, { env });
      assert.equal(code, 2, err);
      assert.match(err, pattern);
    }
    const help = await runAvow([...listen, "--help"], { env });
    assert.match(help.out, /--forward URL[^]*--events[^]*--secret/);
  });
});

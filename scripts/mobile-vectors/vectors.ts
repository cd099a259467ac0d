import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import type { JsonObject } from "@avow/contract/json";
import type * as core from "@avow/widget/headless";
import { build } from "esbuild";
import { type VectorCase, cases } from "./cases.ts";
import files from "./files.json" with { type: "json" };

const root = join(import.meta.dirname, "../..");
export const vectorsFile = join(root, "docs/reference/mobile-vectors.json");

/** The published vectors: the real core's results for all cases. */
export async function toVectors(): Promise<string> {
  const script = await bundleCore();
  const vectors: JsonObject[] = [];
  for (const one of cases) vectors.push({ ...one, expected: await runCase(script, one) });
  const text = { url: "https://consent.example", files, vectors };
  return `${JSON.stringify(text, null, 2)}\n`;
}

async function bundleCore(): Promise<string> {
  const bundled = await build({
    entryPoints: [join(root, "packages/widget/headless/package.ts")],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "avow",
    platform: "neutral",
    mainFields: ["module", "main"],
    logLevel: "silent",
  });
  return bundled.outputFiles[0]?.text ?? "";
}

/** Runs a case in a context of its own, whose clock stands still and whose random numbers count. */
async function runCase(script: string, one: VectorCase): Promise<JsonObject> {
  const context = createContext({
    // Unsent records are retried permanently.
    setTimeout: (run: () => void, ms: number) => setTimeout(run, ms).unref(),
    clearTimeout,
    URLSearchParams,
  });
  runInContext(
    `{
      const RealDate = Date;
      const nowMs = RealDate.parse(${JSON.stringify(one.now)});
      globalThis.Date = class extends RealDate {
        constructor(...given) { super(...(given.length ? given : [nowMs])); }
        static now() { return nowMs; }
      };
      let count = 0;
      globalThis.crypto = { getRandomValues: (array) => array.map(() => ++count) };
    }`,
    context,
  );
  runInContext(script, context);
  const given = JSON.stringify({ ...one, files });
  const result: unknown = await runInContext(`(${runInside.toString()})(${given})`, context);
  return JSON.parse(result as string) as JsonObject;
}

/** Runs inside of the context, from its source text. */
async function runInside(given: VectorCase & { files: Record<string, JsonObject> }) {
  const { createConsent } = (globalThis as unknown as { avow: typeof core }).avow;
  const url = "https://consent.example";
  const site = given.files[given.file] ?? {};
  const texts: Record<string, string | string[]> = { ...given.stored };
  const keys: Record<string, unknown> = {};
  const requests: unknown[] = [];
  const consent = createConsent({
    project: String(site["projectId"]),
    url,
    storage: {
      read: (name) => texts[name],
      write: (name, text) => void (texts[name] = text),
    },
    appKeys: { set: (values) => Object.assign(keys, values) },
    transport(address, { method = "GET", body } = {}) {
      const [path = "", query] = address.slice(url.length).split("?");
      const parts = path.split("/");
      if (path.startsWith("/cdn/"))
        return Promise.resolve({ ok: true, status: 200, json: () => Promise.resolve(site) });
      requests.push({ method, path, query, body: body && JSON.parse(body) });
      const answer = ["tickets", "consents", "answers", "region"]
        .filter((name) => parts.includes(name))
        .map((name) => given.responses?.[name])[0];
      if (!answer) return Promise.reject(new Error("unreachable"));
      const json = () => Promise.resolve(answer.body);
      return Promise.resolve({ ok: answer.status < 300, status: answer.status, json });
    },
    ...given.options,
  });
  await consent.ready;
  const before = toResult();
  let sent: unknown;
  const { act } = given;
  if (act && "answer" in act) sent = await consent.answer(act.answer);
  if (act && "answerTcf" in act) {
    const choices = consent.tcf();
    for (const id of act.answerTcf.purposes) choices?.draft.purposes.add(id);
    for (const id of act.answerTcf.vendors) choices?.draft.vendors.add(id);
    for (const id of act.answerTcf.specialFeatures) choices?.draft.specialFeatures.add(id);
    sent = await consent.answer({}, choices);
  }
  if (act && "form" in act) {
    consent.showForm(act.form);
    sent = await consent.answerForm(act.form, act.accept);
  }
  await consent.flush();
  const after = toResult();
  return JSON.stringify({
    before,
    after: act && after,
    isKept: act && sent === "kept",
    requests,
    stored: Object.fromEntries(
      Object.entries(texts)
        .filter(([name]) => given.stored?.[name] !== texts[name])
        .map(([name, text]) => [name, decodeURIComponent(String(text))]),
    ),
    keys: Object.fromEntries(Object.entries(keys).map(([name, value]) => [name, value ?? null])),
  });

  function toResult(): object {
    const { view, model, vendors, isAnswered, pending, signals, forms, offer } = consent.getState();
    const configuration = offer?.configuration.identifier;
    const buttons = offer?.buttons.map(({ name }) => name);
    return { configuration, view, model, vendors, isAnswered, pending, signals, forms, buttons };
  }
}

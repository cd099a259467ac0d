import type { Signer } from "./signatures.ts";

/** What would be found beside what a test sets. */
const names = [
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_PROFILE",
  "AWS_REGION",
  "AWS_DEFAULT_REGION",
];

/** Environment variables for the SDK alone, as an operator sets them; disposed, they are as they were. */
export function setEnvironment(change: Record<string, string>): Disposable {
  const before = [...new Set([...names, ...Object.keys(change)])].map(
    (name) => [name, process.env[name]] as const,
  );
  for (const [name] of before) delete process.env[name];
  Object.assign(process.env, change);
  return {
    [Symbol.dispose]() {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    },
  };
}

/** What the SDK signs with, in its own variables; `change` beside it. */
export function setCredentials(signer: Signer, change: Record<string, string> = {}): Disposable {
  const { accessKeyId, secretAccessKey } = signer;
  const own = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
  return setEnvironment({ ...own, ...change });
}

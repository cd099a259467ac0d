import type { Signer } from "./signatures.ts";

/**
 * Environment variables for the SDK alone, as an operator sets them, and no other of AWS's, which a developer's
 * machine may have; disposed, all are as they were.
 */
export function setEnvironment(change: Record<string, string>): Disposable {
  const others = Object.keys(process.env).filter((name) => name.startsWith("AWS_"));
  const before = [...new Set([...others, ...Object.keys(change)])].map(
    (name) => [name, process.env[name]] as const,
  );
  for (const name of others) delete process.env[name];
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

import type { Signer } from "./signatures.ts";

/**
 * Sets environment variables for the SDK and clears all others of AWS, which a developer's machine may have.
 * Disposing restores them.
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

/** Sets the SDK's own variables to a signer's credentials, and to `change`. */
export function setCredentials(signer: Signer, change: Record<string, string> = {}): Disposable {
  const { accessKeyId, secretAccessKey } = signer;
  const own = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
  return setEnvironment({ ...own, ...change });
}

import { randomBytes } from "node:crypto";

/** A container's variables, as Kubernetes has them in a pod. */
interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string } };
}

type Secrets = Record<string, Record<string, string>>;

/** The Secrets that the example values of the chart name. */
export const secrets: Secrets = {
  avow: {
    DATABASE_URL: "postgresql://avow@db.example/avow",
    SECRET_KEY: randomBytes(32).toString("hex"),
    EVIDENCE_LOG_KEYS: randomBytes(32).toString("base64"),
    METRICS_TOKEN: randomBytes(16).toString("hex"),
  },
  "avow-db-app": { uri: "postgresql://app@db.example/app" },
};

/** The environment of a pod's first container, as the kubelet makes it. @throws Error for a Secret without a key */
export function toEnvironment(
  { containers }: { containers: { env: Variable[]; envFrom: { secretRef: { name: string } }[] }[] },
  given: Secrets = secrets,
): Record<string, string> {
  const [container] = containers;
  if (!container) throw new Error("The pod has no container.");
  const env: Record<string, string> = {};
  for (const { secretRef } of container.envFrom) Object.assign(env, given[secretRef.name]);
  for (const { name, value = "", valueFrom } of container.env) {
    const { name: secret = "", key = "" } = valueFrom?.secretKeyRef ?? {};
    const text = valueFrom ? given[secret]?.[key] : expand(value, env);
    if (text === undefined) throw new Error(`The Secret ${secret} has no ${key}.`);
    env[name] = text;
  }
  return env;
}

/** Replaces $(NAME) by an earlier variable, and $$ by a dollar sign. */
function expand(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$(?:\$|\((\w+)\))/g, (all, name?: string) =>
    name === undefined ? "$" : (env[name] ?? all),
  );
}

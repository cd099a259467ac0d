import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type * as Sandbox from "../../tag-manager/sandbox.ts";
import type { Template } from "../../tag-manager/template.ts";

/** A stand-in for a tag: an address that is requested once, as soon as its signal is granted. */
interface Tag {
  signal: string;
  address: string;
}

interface ContainerOptions {
  template: Template;
  /** The fields of the tag that uses the template. */
  fields: Record<string, unknown>;
  /** The visitor's region, ISO 3166-2. */
  region: string;
  tags: readonly Tag[];
}

/** A command as `tagManager.commands` lists it: "default" and "update" by the template, "gtag update" by the data layer. */
export type Command = [name: string, state: Record<string, unknown>];

const sandbox = fileURLToPath(new URL("../../tag-manager/sandbox.ts", import.meta.url));

/**
 * A script in place of Tag Manager's. It runs the template in the sandbox, keeps the state of Consent Mode by Google's rules
 * (the most specific region wins, an update wins over a default, a type without either is granted), reads `consent`
 * commands of the data layer, and fires tags. `wait_for_update` is recorded, but delays nothing.
 */
export async function buildContainer(options: ContainerOptions): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [sandbox],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "sandbox",
    target: "es2022",
  });
  const { template, ...rest } = options;
  const { code, permissions } = template;
  return `${outputFiles[0]?.text ?? ""}
(${runContainer.toString()})(sandbox, ${JSON.stringify({ ...rest, code, permissions })}, window);`;
}

/** The page, as far as the stand-in uses it. */
interface Page {
  document: {
    cookie: string;
    head: { append: (node: object) => void };
    createElement: (name: "script") => {
      async: boolean;
      src: string;
      addEventListener: (name: "load" | "error", listen: () => void) => void;
    };
  };
  Image: new () => { src: string };
}

/** Runs in the page, so it uses nothing of this file. */
function runContainer(
  { buildApis, getApi, runSandboxed }: typeof Sandbox,
  {
    code,
    permissions,
    fields,
    region,
    tags,
  }: Omit<ContainerOptions, "template"> & Pick<Template, "code" | "permissions">,
  page: Page,
): void {
  const { document, Image } = page;
  const commands: Command[] = [];
  const sets: Record<string, unknown>[] = [];
  const states = new Map<string, { rank: number; value: unknown }>();
  const waiting = new Set(tags);
  const isGranted = (signal: string): boolean =>
    (states.get(signal)?.value ?? "granted") === "granted";
  const fire = (): void => {
    for (const tag of waiting)
      if (isGranted(tag.signal)) {
        waiting.delete(tag);
        new Image().src = tag.address;
      }
  };
  const apply = (state: Record<string, unknown>, rank: number): void => {
    for (const [type, value] of Object.entries(state))
      if (type !== "region" && type !== "wait_for_update" && rank >= (states.get(type)?.rank ?? 0))
        states.set(type, { rank, value });
  };
  const setDefault = (state: Record<string, unknown>): void => {
    const regions = state["region"] as string[] | undefined;
    const rank = [region.slice(0, 2), region].findLastIndex((one) => regions?.includes(one)) + 2;
    if (!regions) apply(state, 1);
    else if (rank > 1) apply(state, rank);
  };
  const update = (state: Record<string, unknown>): void => {
    apply(state, 4);
    fire();
  };
  const dataLayer: unknown[] = [];
  dataLayer.push = (...entries) => {
    for (const entry of entries) {
      Array.prototype.push.call(dataLayer, entry);
      const [command, kind, state] = Array.from(entry as ArrayLike<unknown>);
      if (command !== "consent") continue;
      commands.push([`gtag ${String(kind)}`, state as Record<string, unknown>]);
      if (kind === "update") update(state as Record<string, unknown>);
      else setDefault(state as Record<string, unknown>);
    }
    return dataLayer.length;
  };
  const ended: string[] = [];
  Object.assign(page, { dataLayer, tagManager: { commands, sets, ended } });
  const apis = buildApis(permissions, {
    readCookies: (name) =>
      document.cookie
        .split("; ")
        .filter((one) => one.startsWith(`${name}=`))
        .map((one) => one.slice(name.length + 1)),
    setDefaultConsent(state) {
      commands.push(["default", state]);
      setDefault(state);
    },
    updateConsent(state) {
      commands.push(["update", state]);
      update(state);
    },
    setFields: (given) => void sets.push(given),
    loadScript(address, onSuccess, onFailure) {
      const script = document.createElement("script");
      script.async = true;
      script.addEventListener("load", onSuccess);
      script.addEventListener("error", onFailure);
      script.src = address;
      document.head.append(script);
    },
    page,
  });
  runSandboxed(code, {
    require: (name: string) => getApi(apis, name),
    data: {
      ...fields,
      gtmOnSuccess: () => ended.push("success"),
      gtmOnFailure: () => ended.push("failure"),
    },
  });
  fire();
}

import type { ConsentSnapshot } from "@avow/widget/headless";
import type { ConsentReader } from "@avow/widget/server";
import {
  type RequestEvent,
  defineNuxtPlugin,
  useRequestEvent,
  useRuntimeConfig,
  useState,
} from "nuxt/app";
import { createAvow } from "../consent/plugin.ts";
import type { AvowModuleOptions } from "./module.ts";

/** A visitor, as a server middleware of the site knows them: `event.context.avow = { token, region }`. */
export interface AvowVisitor {
  /** The visitor's token, if the site knows the visitor: it is in their page. */
  token?: string | undefined;
  /** Such as `FR` or `US-CA`. */
  region?: string | undefined;
}

/** The data that the page begins with. */
interface Payload {
  snapshot?: ConsentSnapshot | undefined;
  token?: string | undefined;
}

// One for all requests: it keeps the published file.
let reader: ConsentReader | undefined;

export default defineNuxtPlugin({
  name: "avow",
  async setup({ vueApp }) {
    const options = toOptions(useRuntimeConfig().public["avow"] as AvowModuleOptions);
    const payload = useState<Payload>("avow");
    if (import.meta.server && !import.meta.prerender) {
      const event = useRequestEvent();
      if (event && !isShared(event)) payload.value = await readPayload(event, options);
    }
    const { regionHeader: _, ...rest } = options;
    vueApp.use(createAvow({ ...rest, ...payload.value }));
  },
});

/** Reads the consent of a request. Without it the banner appears when the browser has loaded it. */
async function readPayload(event: RequestEvent, options: AvowModuleOptions): Promise<Payload> {
  const { req, res } = event.node;
  const { token } = toVisitor(event);
  // The page contains the visitor's answers and token.
  res.appendHeader("vary", "cookie");
  if (!res.hasHeader("cache-control")) res.setHeader("cache-control", "private");
  try {
    const { createConsentReader } = await import("@avow/widget/server");
    reader ??= createConsentReader({
      ...options,
      region: (request) => (request as NuxtRequest).visitor.region,
      token: (request) => (request as NuxtRequest).visitor.token,
    });
    const visitor = toVisitor(event, options.regionHeader);
    const request: NuxtRequest = { url: event.path, headers: req.headers, visitor };
    return { snapshot: (await reader(request)).snapshot, token };
  } catch (error) {
    // oxlint-disable-next-line no-console -- The log of the server.
    console.error("Avow: the consent could not be read.", error);
    return { token };
  }
}

interface NuxtRequest {
  url: string;
  headers: RequestEvent["node"]["req"]["headers"];
  visitor: AvowVisitor;
}

function toVisitor({ context, node }: RequestEvent, regionHeader = ""): AvowVisitor {
  const { token, region } = (context["avow"] ?? {}) as AvowVisitor;
  const named = regionHeader && node.req.headers[regionHeader.toLowerCase()];
  return { token, region: region ?? (typeof named === "string" && named ? named : undefined) };
}

/** Whether the response is cached for all visitors (`routeRules` with `cache`, `swr` or `isr`). */
function isShared({ context }: RequestEvent): boolean {
  const { routeRules = {} } = (context["_nitro"] ?? {}) as {
    routeRules?: { cache?: unknown; isr?: unknown };
  };
  // Nitro turns `swr` into `cache`, and leaves `isr` to the host.
  return Boolean(routeRules.cache || routeRules.isr);
}

/** The settings that have a value. */
function toOptions(given: AvowModuleOptions): AvowModuleOptions {
  const set = Object.entries(given).filter(([, value]) => value !== "" && value !== undefined);
  return { project: "", url: "", ...Object.fromEntries(set) };
}

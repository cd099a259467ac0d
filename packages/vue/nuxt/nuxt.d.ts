// The parts of Nuxt that the module uses: Nuxt itself is hundreds of packages.
declare module "nuxt/schema" {
  export interface Nuxt {
    options: { css: string[]; runtimeConfig: { public: Record<string, unknown> } };
  }
  // The published types use Nuxt's own.
  // oxlint-disable-next-line typescript/no-unused-vars
  export interface NuxtModule<T> {
    (options: Partial<T>, nuxt: Nuxt): unknown;
  }
}

declare module "nuxt/kit" {
  import type { Nuxt, NuxtModule } from "nuxt/schema";

  export function defineNuxtModule<T extends object>(definition: {
    meta: { name: string; configKey: string; compatibility: { nuxt: string } };
    defaults: Partial<T>;
    setup: (options: T, nuxt: Nuxt) => void;
  }): NuxtModule<T>;
  export function createResolver(base: string): { resolve: (path: string) => string };
  export function addPlugin(file: string): unknown;
  export function addImports(imports: readonly { name: string; from: string }[]): void;
  export function addComponent(component: {
    name: string;
    export: string;
    filePath: string;
  }): unknown;
}

declare module "nuxt/app" {
  import type { App, Ref } from "vue";

  export interface RequestEvent {
    path: string;
    context: Record<string, unknown>;
    node: {
      req: { headers: Record<string, string | string[] | undefined> };
      res: {
        hasHeader: (name: string) => boolean;
        setHeader: (name: string, value: string) => unknown;
        appendHeader: (name: string, value: string) => unknown;
      };
    };
  }
  export function defineNuxtPlugin(plugin: {
    name: string;
    setup: (nuxtApp: { vueApp: App }) => Promise<void>;
  }): object;
  export function useRuntimeConfig(): { public: Record<string, unknown> };
  export function useRequestEvent(): RequestEvent | undefined;
  export function useState<T>(key: string): Ref<T | undefined>;
}

interface ImportMeta {
  /** Constants of Nuxt's builds. */
  readonly server: boolean;
  readonly prerender: boolean;
}

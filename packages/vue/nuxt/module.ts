// nuxt.config: modules: ["@avow/vue/nuxt"], avow: { project, url }
import { addComponent, addImports, addPlugin, createResolver, defineNuxtModule } from "nuxt/kit";
import type { NuxtModule } from "nuxt/schema";

/** Options of the module. Each can be set at run time, such as `project` by NUXT_PUBLIC_AVOW_PROJECT. */
export interface AvowModuleOptions {
  /** The identifier of the project. */
  project: string;
  /** Base address of the service, such as `https://consent.example`. */
  url: string;
  /** Base address of published files; `/cdn` of the service by default. */
  cdn?: string;
  /** `staging` reads the version that is published to staging. */
  environment?: "production" | "staging";
  /** The name or the identifier of one cookie configuration. */
  cookies?: string;
  /** Whether the default "denied" of Consent Mode is set at once; `site`: the site sets that of Google's tags itself. */
  consentMode?: boolean | "site";
  /**
   * A request header with the visitor's region, such as `cf-ipcountry`, that a proxy of yours sets and removes from
   * visitors' requests. By default the region is unknown to the server, and the browser asks the service.
   */
  regionHeader?: string;
  /** Whether the style sheet is loaded (true). */
  styles?: boolean;
}

/** Components and composables that need no import. */
const components = ["ConsentBanner", "ConsentForm", "ConsentGate", "Embed", "PreferenceCenter"];
const composables = ["onAccepted", "useConsent"];

/** Only settings that the built app knows can be set at run time. */
const unset: Readonly<Record<string, unknown>> = {
  project: "",
  url: "",
  cdn: "",
  environment: "",
  cookies: "",
  consentMode: false,
  regionHeader: "",
};

/** Avow's module for Nuxt 4: the server reads the consent cookie, and the page begins with the same state. */
const avowModule: NuxtModule<AvowModuleOptions> = defineNuxtModule<AvowModuleOptions>({
  meta: { name: "@avow/vue", configKey: "avow", compatibility: { nuxt: ">=4.0.0" } },
  defaults: { styles: true },
  setup({ styles, ...options }, nuxt) {
    nuxt.options.runtimeConfig.public["avow"] = { ...unset, ...options };
    if (styles) nuxt.options.css.push("@avow/vue/styles.css");
    addPlugin(createResolver(import.meta.url).resolve("./plugin"));
    addImports(composables.map((name) => ({ name, from: "@avow/vue" })));
    for (const name of components) addComponent({ name, export: name, filePath: "@avow/vue" });
  },
});

export default avowModule;

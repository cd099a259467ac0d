export default defineNuxtConfig({
  modules: ["@avow/vue/nuxt"],
  avow: {
    // Or NUXT_PUBLIC_AVOW_PROJECT and NUXT_PUBLIC_AVOW_URL when the server starts.
    project: "PROJECT",
    url: "https://consent.example",
  },
  // Pages that are cached for all visitors contain no visitor: the browser reads the consent.
  routeRules: { "/about": { swr: 60 }, "/studio": { isr: 60 } },
  app: { head: { title: "Hearth & Clay", htmlAttrs: { lang: "en" } } },
  compatibilityDate: "2026-11-01",
  telemetry: false,
});

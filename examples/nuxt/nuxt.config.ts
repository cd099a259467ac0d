export default defineNuxtConfig({
  modules: ["@avow/vue/nuxt"],
  avow: {
    // Or NUXT_PUBLIC_AVOW_PROJECT and NUXT_PUBLIC_AVOW_URL when the server starts.
    project: "PROJECT",
    url: "https://consent.example",
  },
  // A page that is cached for all visitors contains no visitor: the browser reads the consent.
  routeRules: { "/about": { swr: 60 } },
  app: { head: { title: "Hearth & Clay", htmlAttrs: { lang: "en" } } },
  compatibilityDate: "2026-11-01",
  telemetry: false,
});

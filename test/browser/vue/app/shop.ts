import {
  type AvowOptions,
  ConsentBanner,
  ConsentForm,
  ConsentGate,
  Embed,
  PreferenceCenter,
  createAvow,
} from "@avow/vue";
import { type App, createApp, createSSRApp, defineComponent, h } from "vue";

/** The options in a page of these tests. */
export interface ShopOptions extends AvowOptions {
  /** The names of forms. */
  forms?: readonly string[];
}

/** A shop with all components: the same on the server and in the browser. */
export function createShop({ forms = [], ...options }: ShopOptions): App {
  const Shop = defineComponent(() => () => [
    h(ConsentBanner),
    h(PreferenceCenter),
    h("main", [
      h("h1", "Shop"),
      h(
        ConsentGate,
        { vendor: ["one", "two"] },
        { default: () => h("p", "Both run."), fallback: () => h("p", "They wait.") },
      ),
      h(
        ConsentGate,
        { vendor: [] },
        { default: () => h("p", "Ungated."), fallback: () => h("p", "Without a vendor.") },
      ),
      h(Embed, { vendor: "two", src: "/film", title: "A film", width: "400", height: "200" }),
      h("form", { action: "/sent" }, [
        forms.map((form) => h(ConsentForm, { form, key: form })),
        h("button", "Send"),
      ]),
    ]),
  ]);
  // Without a snapshot only the browser renders it.
  const app = options.snapshot ? createSSRApp(Shop) : createApp(Shop);
  return app.use(createAvow(options));
}

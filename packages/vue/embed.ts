import type { ConsentOffer, OfferVendor, VendorName } from "@avow/widget/headless";
import {
  type PropType,
  type SlotsType,
  type VNode,
  computed,
  defineComponent,
  h,
  nextTick,
  ref,
  useId,
  useTemplateRef,
} from "vue";
import { toStyle, useTheme } from "./look/appearance.ts";
import { toLink } from "./look/message.ts";
import { useConsent, useIsAccepted } from "./consent/use-consent.ts";

/**
 * A frame that loads once all of its vendors may run. Before, a placeholder loads it once, or accepts the vendors. Further
 * attributes are those of the frame.
 */
export const Embed = defineComponent({
  name: "AvowEmbed",
  inheritAttrs: false,
  props: {
    /** One vendor or several. */
    vendor: {
      type: [String, Array] as PropType<VendorName | readonly VendorName[]>,
      required: true,
    },
    src: { type: String, required: true },
    /** The name of the content, for screen readers. */
    title: { type: String, required: true },
  },
  slots: Object as SlotsType<{
    /** Instead of the published placeholder. */
    fallback?: { load: () => void; allow: () => void };
  }>,
  setup(props, { attrs, slots }) {
    const { state, answer } = useConsent();
    const isAccepted = useIsAccepted(() => props.vendor);
    const isLoadedOnce = ref(false);
    const id = useId();
    const frame = useTemplateRef<HTMLIFrameElement>("frame");
    const placeholder = useTemplateRef<HTMLElement>("placeholder");
    useTheme(
      () => placeholder.value,
      () => state.value.appearance,
    );
    const vendors = computed(() => [props.vendor].flat());
    const focusFrame = (): unknown => nextTick(() => frame.value?.focus());
    const load = (): void => {
      isLoadedOnce.value = true;
      void focusFrame();
    };
    const allow = (): void => {
      // The state has the error of an answer that could not be kept.
      answer(Object.fromEntries(vendors.value.map((name) => [name, true]))).catch(() => undefined);
      isLoadedOnce.value = true;
      void focusFrame();
    };
    const toButtons = (offer: ConsentOffer, say: (name: string) => string): VNode[] => [
      h("button", { type: "button", class: "avow-button", onClick: load }, say("embedOnce")),
      ...(vendors.value.every(offer.isAsked)
        ? [
            h(
              "button",
              { type: "button", class: "avow-button avow-plain", onClick: allow },
              say("embedAlways"),
            ),
          ]
        : []),
    ];
    return () => {
      const { src, title } = props;
      if (isAccepted() || isLoadedOnce.value)
        return h("iframe", { ...attrs, ref: "frame", src, title });
      const { offer, appearance } = state.value;
      // The texts are published if the configuration has placeholders.
      const hasTexts = offer && offer.say("embedOnce") !== "embedOnce";
      if (slots.fallback || !hasTexts) return slots.fallback?.({ load, allow });
      const found = vendors.value.map(
        (name): Pick<OfferVendor, "name" | "title" | "policyUrl"> =>
          offer.vendors.find((vendor) => vendor.name === name) ?? { name },
      );
      const list = new Intl.ListFormat(offer.language);
      const names = list.format(found.map(({ name, title: shown = name }) => shown));
      const say = (name: string): string => offer.say(name).replaceAll("{vendor}", () => names);
      return h(
        "div",
        {
          ref: "placeholder",
          class: "avow avow-embed",
          role: "group",
          "aria-labelledby": `${id}-title ${id}-name`,
          lang: offer.language,
          dir: offer.direction,
          style: toStyle(appearance),
        },
        [
          h("p", { id: `${id}-title`, class: "avow-title" }, say("embedTitle")),
          h("p", { id: `${id}-name` }, title),
          h("p", { class: "avow-soft" }, [
            say("embedText"),
            ...found.flatMap(({ policyUrl }) =>
              policyUrl ? [" ", toLink(policyUrl, say("policy"))] : [],
            ),
          ]),
          h("div", { class: "avow-foot" }, toButtons(offer, say)),
        ],
      );
    };
  },
});

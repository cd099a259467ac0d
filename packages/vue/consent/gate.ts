import type { VendorName } from "@avow/widget/headless";
import { type PropType, type SlotsType, defineComponent } from "vue";
import { useIsAccepted } from "./use-consent.ts";

/** Shows its content only while all of its vendors may run, and the slot `fallback` otherwise. */
export const ConsentGate = defineComponent({
  name: "ConsentGate",
  props: {
    /** One vendor or several. */
    vendor: {
      type: [String, Array] as PropType<VendorName | readonly VendorName[]>,
      required: true,
    },
  },
  slots: Object as SlotsType<{ default?: object; fallback?: object }>,
  setup(props, { slots }) {
    const isAccepted = useIsAccepted(() => props.vendor);
    return () => (isAccepted() ? slots.default?.({}) : slots.fallback?.({}));
  },
});

import type { OfferStep, OfferVendor } from "@avow/widget/headless";
import { type PropType, type VNode, computed, defineComponent, h, ref } from "vue";
import { toImage, toLink, toMessage } from "../look/message.ts";
import { useConsent } from "../consent/use-consent.ts";

/** Up to this number, all vendors are shown; the lists of more are closed, and can be searched. */
const VENDORS_SHOWN_MAX = 10;

type Say = (name: string) => string;

/** The categories with their vendors and switches. Changes are set in `chosen`. */
export const Categories = defineComponent({
  name: "AvowCategories",
  props: {
    categories: { type: Array as PropType<readonly OfferStep[]>, required: true },
    chosen: { type: Map as PropType<Map<string, boolean>>, required: true },
    isAsked: { type: Function as PropType<(vendor: string) => boolean>, required: true },
    /** Whether each has a heading. */
    isTitled: { type: Boolean, required: true },
  },
  setup(props) {
    const { state } = useConsent();
    const wanted = ref("");
    const shown = computed(() =>
      props.categories.map((step) => ({ step, vendors: listVendors(step, props.isAsked) })),
    );
    const isLong = computed(
      () => shown.value.reduce((sum, { vendors }) => sum + vendors.length, 0) > VENDORS_SHOWN_MAX,
    );
    const say: Say = (name) => state.value.offer?.say(name) ?? name;
    const toGroup = (step: OfferStep, vendors: readonly OfferVendor[]): VNode | undefined => {
      const sayHere: Say = (name) => state.value.offer?.say(name, step) ?? name;
      const found = vendors.filter((vendor) => isFound(vendor, wanted.value));
      if (wanted.value && !found[0]) return undefined;
      const { chosen, isTitled } = props;
      const asked = vendors.filter(({ required }) => !required);
      const title = step.title || step.name;
      const all = asked[1] && step.showToggleAllSwitch !== false && !wanted.value;
      const toAll = (label: string, attributes: object): VNode =>
        h("input", {
          type: "checkbox",
          role: "switch",
          class: "avow-switch",
          checked: asked.every(({ name }) => chosen.get(name)),
          onChange({ target }: Event) {
            for (const { name } of asked) chosen.set(name, (target as HTMLInputElement).checked);
          },
          "aria-label": label,
          ...attributes,
        });
      const list = h(
        "ul",
        { class: "avow-vendors", role: "list" },
        found.map((vendor) => h("li", { key: vendor.name }, toVendor(vendor, chosen, sayHere))),
      );
      return h("div", { class: "avow-group", key: step.name }, [
        isTitled
          ? h("div", { class: "avow-label" }, [
              h("h3", { class: "avow-subtitle" }, title),
              all ? toAll(title, {}) : null,
            ])
          : null,
        toMessage(step.message),
        !isTitled && all
          ? h("label", { class: "avow-label" }, [
              h("span", sayHere("toggleAll")),
              toAll(sayHere("toggleAll"), {}),
            ])
          : null,
        vendors[0]
          ? isLong.value
            ? h("details", { class: "avow-list", open: wanted.value !== "" }, [
                h("summary", `${sayHere("services")} (${vendors.length})`),
                list,
              ])
            : list
          : null,
      ]);
    };
    return () => {
      const groups = shown.value.map(({ step, vendors }) => toGroup(step, vendors));
      return [
        isLong.value ? toSearch(say, wanted.value, (text) => (wanted.value = text)) : null,
        isLong.value
          ? h(
              "p",
              { class: "avow-soft", role: "status" },
              groups.some(Boolean) ? "" : say("noMatch"),
            )
          : null,
        ...groups,
      ];
    };
  },
});

function listVendors(
  { vendors = [] }: OfferStep,
  isAsked: (vendor: string) => boolean,
): OfferVendor[] {
  return vendors.filter(({ name, required }) => required || isAsked(name));
}

function toVendor(vendor: OfferVendor, chosen: Map<string, boolean>, say: Say): VNode[] {
  const { name, title = name, shortDescription, required } = vendor;
  return [
    required
      ? h("p", { class: "avow-label" }, [
          h("span", title),
          h("span", { class: "avow-soft" }, say("alwaysOn")),
        ])
      : h("label", { class: "avow-label" }, [
          h("span", title),
          h("input", {
            type: "checkbox",
            role: "switch",
            class: "avow-switch",
            checked: chosen.get(name) === true,
            "aria-description": shortDescription,
            onChange: ({ target }: Event) => chosen.set(name, (target as HTMLInputElement).checked),
          }),
        ]),
    ...(shortDescription ? [h("p", { class: "avow-soft" }, shortDescription)] : []),
    ...toDetails(vendor, say),
  ];
}

function toDetails({ name, title = name, ...vendor }: OfferVendor, say: Say): VNode[] {
  const { longDescription, policyUrl, image, storage = [] } = vendor;
  if (!longDescription && !policyUrl && !storage[0]) return [];
  const items = storage.map((item) =>
    h("li", [
      h("code", item.name),
      item.purpose ? h("p", item.purpose) : null,
      item.duration ? h("p", `${say("duration")}: ${item.duration}`) : null,
      item.provider ? h("p", `${say("provider")}: ${item.provider}`) : null,
    ]),
  );
  return [
    h("details", { class: "avow-soft" }, [
      h("summary", { "aria-label": `${say("details")}: ${title}` }, say("details")),
      toImage(image, 32),
      longDescription ? h("p", longDescription) : null,
      policyUrl ? h("p", [toLink(policyUrl, say("policy"))]) : null,
      items[0] ? h("h4", say("storage")) : null,
      items[0] ? h("ul", items) : null,
    ]),
  ];
}

function toSearch(say: Say, value: string, onText: (text: string) => void): VNode {
  return h("input", {
    type: "search",
    class: "avow-search",
    placeholder: say("search"),
    "aria-label": say("search"),
    value,
    onInput: ({ target }: Event) => onText((target as HTMLInputElement).value),
  });
}

/** Whether the texts of a vendor contain a text, without case and accents. */
function isFound(vendor: OfferVendor, wanted: string): boolean {
  const { name, title = name, shortDescription = "", longDescription = "", storage = [] } = vendor;
  const texts = [title, shortDescription, longDescription, ...storage.map((item) => item.name)];
  return simplify(texts.join(" ")).includes(simplify(wanted));
}

function simplify(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
}

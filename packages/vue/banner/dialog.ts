import type { OfferButton } from "@avow/widget/headless";
import {
  type PropType,
  type VNode,
  computed,
  defineComponent,
  h,
  onBeforeUnmount,
  onMounted,
  reactive,
  useId,
  useTemplateRef,
} from "vue";
import { toPlace, toStyle, useTheme } from "../look/appearance.ts";
import { toImage, toMessage } from "../look/message.ts";
import { useConsent } from "../consent/use-consent.ts";
import { Categories } from "./categories.ts";

type DialogKind = "banner" | "preferences";

/** The dialog of a banner or of the preference center, as it is published. */
export const OfferDialog = defineComponent({
  name: "AvowOfferDialog",
  props: {
    kind: { type: String as PropType<DialogKind>, required: true },
  },
  setup({ kind }) {
    const { state, answer, show, close } = useConsent();
    const isCenter = kind === "preferences";
    const titleId = useId();
    const dialog = useTemplateRef<HTMLDialogElement>("dialog");
    const heading = useTemplateRef<HTMLElement>("heading");
    // Nothing is preselected: these are the answers that hold.
    const chosen = reactive(new Map<string, boolean>());
    for (const [name, isOn] of Object.entries(state.value.vendors)) chosen.set(name, isOn === true);
    const offer = computed(() => state.value.offer);
    const isAsked = (name: string): boolean =>
      isCenter ? offer.value?.isAsked(name) === true : state.value.pending.includes(name);
    useTheme(
      () => dialog.value,
      () => state.value.appearance,
    );
    onMounted(() => {
      if (!isCenter && !state.value.appearance.isModal) return;
      dialog.value?.close();
      dialog.value?.showModal();
      heading.value?.focus();
    });
    if (!isCenter) useTimeout(() => dialog.value);
    // The browser restores the focus of the page.
    onBeforeUnmount(() => dialog.value?.close());
    const press = ({ act, answer: given }: OfferButton): void => {
      if (act === "close") return close();
      const saved = Object.fromEntries([...chosen].filter(([name]) => isAsked(name)));
      const pressed = act === "choose" ? show("preferences") : answer(given ?? saved);
      // The state has the error.
      pressed.catch(() => undefined);
    };
    const toButton = (button: OfferButton): VNode =>
      h(
        "button",
        {
          key: button.name,
          type: "button",
          class: [
            "avow-button",
            { save: "avow-outline", choose: "avow-plain" }[button.act as "save"],
          ],
          onClick: () => press(button),
        },
        button.text,
      );
    return () => {
      if (!offer.value) return undefined;
      const { language, direction, steps, categories, hasSwitches, note, buttons, say } =
        offer.value;
      const { appearance } = state.value;
      const [first] = steps;
      const hasHeader = !isCenter && first !== undefined;
      return h(
        "dialog",
        {
          ref: "dialog",
          class: ["avow", "avow-dialog", ...toLayout()],
          open: !isCenter,
          lang: language,
          dir: direction,
          "aria-labelledby": titleId,
          style: toStyle(appearance),
          onCancel: close,
          onKeydown: ({ key }: KeyboardEvent) => key === "Escape" && close(),
        },
        [
          h("div", { class: "avow-head" }, [
            h("div", [
              hasHeader && first.topTitle ? h("p", { class: "avow-soft" }, first.topTitle) : null,
              h(
                "h2",
                { id: titleId, ref: "heading", tabindex: -1, class: "avow-title" },
                hasHeader ? first.title || first.name : say("settings"),
              ),
              hasHeader && first.subTitle ? h("p", { class: "avow-soft" }, first.subTitle) : null,
            ]),
            hasHeader ? toImage(first.image, 72) : null,
            isCenter
              ? h(
                  "button",
                  { type: "button", class: "avow-x", "aria-label": say("close"), onClick: close },
                  "×",
                )
              : null,
          ]),
          h("section", { class: "avow-text", tabindex: 0, "aria-labelledby": titleId }, [
            note ? h("p", { class: "avow-note", role: "status" }, note) : null,
            hasHeader && !hasSwitches ? toMessage(first.message) : null,
            hasSwitches
              ? h(Categories, {
                  categories,
                  chosen,
                  isAsked,
                  isTitled: isCenter || steps.length > 1,
                })
              : null,
          ]),
          h("div", { class: "avow-foot" }, buttons.map(toButton)),
        ],
      );
    };

    function toLayout(): string[] {
      if (isCenter) return ["avow-center-view"];
      const { position } = state.value.appearance;
      return [...toPlace(position), `avow-${offer.value?.steps[0]?.layout}`];
    }
  },
});

/** Closes a banner whose first step has a timeout, but not while it is hovered or focused. */
function useTimeout(find: () => HTMLElement | null): void {
  const { state, close } = useConsent();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (ms: number): void => {
    timer = setTimeout(() => (find()?.matches(":hover,:focus-within") ? wait(ms) : close()), ms);
  };
  onMounted(() => {
    const { timeout } = state.value.offer?.steps[0] ?? {};
    if (timeout) wait(timeout);
  });
  onBeforeUnmount(() => clearTimeout(timer));
}

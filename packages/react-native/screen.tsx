import { useConsent } from "@avow/react/hooks";
import type { ConsentOffer } from "@avow/widget/headless";
import { type ReactNode, useState } from "react";
import { Modal, ScrollView, View } from "react-native";
import { type ConsentColors, useColors } from "./look.ts";
import { Button, Message, Paragraph, Title } from "./parts.tsx";
import { Step } from "./step.tsx";

/** Properties of `ConsentScreen`. */
export interface ConsentScreenProps {
  /** Colors that replace those of the light and the dark scheme. */
  colors?: Partial<ConsentColors> | undefined;
}

/**
 * The banner as a sheet at the bottom, and the preference center on the whole screen, while they are open. Configurations
 * that ask by IAB's TCF are not shown.
 */
export function ConsentScreen({ colors: own }: ConsentScreenProps): ReactNode {
  const { state, close } = useConsent();
  const colors = useColors(own);
  const { view, offer } = state;
  if (view === "closed" || !offer || offer.steps.some(({ layout }) => layout === "iab"))
    return null;
  const isBanner = view === "banner";
  const isClosable = !isBanner || offer.buttons.some(({ act }) => act === "close");
  return (
    <Modal
      visible
      transparent={isBanner}
      animationType="slide"
      onRequestClose={() => {
        // The back button of Android is no answer.
        if (isClosable) close();
      }}
    >
      <View
        style={{
          flex: 1,
          justifyContent: "flex-end",
          backgroundColor: isBanner ? "#00000080" : colors.background,
        }}
      >
        <Sheet key={view} offer={offer} colors={colors} isBanner={isBanner} />
      </View>
    </Modal>
  );
}

interface SheetProps {
  offer: ConsentOffer;
  colors: ConsentColors;
  isBanner: boolean;
}

function Sheet({ offer, colors, isBanner }: SheetProps): ReactNode {
  const { state, answer, close, show } = useConsent();
  const [draft, setDraft] = useState<Readonly<Partial<Record<string, boolean>>>>(state.vendors);
  const { direction, steps, note, buttons, say } = offer;
  const part = { colors, direction };
  const [first, ...more] = steps;
  // Choices of the first step are on the banner.
  const isIntroduced = !first?.vendors?.[0];
  const shown = isBanner && isIntroduced ? [] : isIntroduced ? more : steps;
  const press = ({ act, answer: given }: (typeof buttons)[number]): void => {
    if (act === "answer" && given !== undefined) answer(given).catch(() => undefined);
    if (act === "save") answer(toAsked(draft, offer)).catch(() => undefined);
    if (act === "choose") show("preferences").catch(() => undefined);
    if (act === "close") close();
  };
  const corners = { borderTopLeftRadius: 16, borderTopRightRadius: 16, maxHeight: "85%" };
  return (
    <View
      aria-modal
      style={[
        { backgroundColor: colors.background, direction, padding: 20, paddingBottom: 32, gap: 16 },
        isBanner ? corners : { flex: 1, paddingTop: 56 },
      ]}
    >
      {!isBanner && (
        <View style={{ flexDirection: "row", justifyContent: "space-between", gap: 12 }}>
          <View style={{ flexShrink: 1, justifyContent: "center" }}>
            <Title {...part} text={say("settings")} />
          </View>
          <Button isQuiet text={say("close")} colors={colors} onPress={close} />
        </View>
      )}
      <ScrollView style={{ flexShrink: 1 }} contentContainerStyle={{ gap: 16 }}>
        {note !== undefined && <Paragraph {...part}>{note}</Paragraph>}
        {isBanner && <Title {...part} text={first?.title} />}
        {isIntroduced && <Message {...part} html={first?.message} />}
        {shown.map((step) => (
          <Step
            {...part}
            key={step.name}
            step={step}
            offer={offer}
            draft={draft}
            onChange={(vendor, isOn) => setDraft((before) => ({ ...before, [vendor]: isOn }))}
          />
        ))}
      </ScrollView>
      <View style={{ gap: 10 }}>
        {buttons.map((button) => (
          <Button
            key={button.name}
            text={button.text}
            colors={colors}
            isQuiet={button.act === "choose" || button.act === "save"}
            onPress={() => press(button)}
          />
        ))}
      </View>
    </View>
  );
}

function toAsked(draft: Readonly<Partial<Record<string, boolean>>>, { isAsked }: ConsentOffer) {
  return Object.fromEntries(Object.entries(draft).filter(([vendor]) => isAsked(vendor)));
}

import type { ConsentOffer, OfferStep } from "@avow/widget/headless";
import type { ReactNode } from "react";
import { Switch, Text, View } from "react-native";
import { toTextStyle } from "./look.ts";
import { Link, Message, Paragraph, type PartProps, Title } from "./parts.tsx";

interface StepProps extends PartProps {
  step: OfferStep;
  offer: ConsentOffer;
  draft: Readonly<Partial<Record<string, boolean>>>;
  onChange: (vendor: string, isOn: boolean) => void;
}

/** A category with a switch for each vendor. */
export function Step({ step, offer, draft, onChange, ...part }: StepProps): ReactNode {
  const { colors, direction } = part;
  return (
    <View style={{ gap: 10 }}>
      <Title {...part} size={17} text={step.title} />
      <Message {...part} html={step.message} />
      {(step.vendors ?? []).map(({ name, title = name, ...vendor }) => (
        <View
          key={name}
          style={{ borderTopWidth: 1, borderTopColor: colors.line, paddingTop: 10, gap: 4 }}
        >
          <View style={{ flexDirection: "row", alignItems: "center", gap: 12 }}>
            <Text
              style={[
                toTextStyle(direction, colors.text),
                { flex: 1, fontSize: 16, fontWeight: "600" },
              ]}
            >
              {title}
            </Text>
            {offer.isAsked(name) ? (
              <Switch
                aria-label={title}
                value={draft[name] === true}
                onValueChange={(isOn) => onChange(name, isOn)}
              />
            ) : (
              <Paragraph {...part}>{offer.say("alwaysOn", step)}</Paragraph>
            )}
          </View>
          {vendor.shortDescription !== undefined && (
            <Paragraph {...part}>{vendor.shortDescription}</Paragraph>
          )}
          {vendor.policyUrl !== undefined && (
            <Paragraph {...part}>
              <Link href={vendor.policyUrl} colors={colors}>
                {offer.say("policy", step)}
              </Link>
            </Paragraph>
          )}
        </View>
      ))}
    </View>
  );
}

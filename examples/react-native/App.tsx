import {
  ConsentForm,
  ConsentGate,
  ConsentProvider,
  ConsentScreen,
  useConsent,
  usePrivacyOptions,
} from "@avow/react-native";
import { createAsyncStorage } from "@react-native-async-storage/async-storage";
import { type ReactNode, useEffect, useState } from "react";
import { Button, ScrollView, Text, View, useColorScheme } from "react-native";
import { config } from "./config";

const storage = createAsyncStorage("consent");

export function App(): ReactNode {
  const [token, setToken] = useState<string>();
  return (
    <ConsentProvider project={config.project} url={config.url} storage={storage} token={token}>
      <Shop
        isSignedIn={token !== undefined}
        onSignIn={() => setToken(config.customer)}
        onSignOut={() => setToken(undefined)}
      />
      <ConsentScreen />
    </ConsentProvider>
  );
}

function Shop({
  isSignedIn,
  onSignIn,
  onSignOut,
}: {
  isSignedIn: boolean;
  onSignIn: () => void;
  onSignOut: () => void;
}): ReactNode {
  const { state } = useConsent();
  const openPrivacy = usePrivacyOptions();
  const isDark = useColorScheme() === "dark";
  const color = isDark ? "#f2f2f2" : "#1b1b1b";
  return (
    <ScrollView
      style={{ flex: 1, backgroundColor: isDark ? "#121212" : "#ffffff" }}
      contentContainerStyle={{ padding: 20, paddingTop: 60, gap: 16 }}
    >
      <Text role="heading" style={{ fontSize: 26, fontWeight: "700", color }}>
        Hearth and Clay
      </Text>
      <Text style={{ color }}>{state.status === "ready" ? "Ready" : "Loading"}</Text>
      <ConsentGate vendor="stats" fallback={<Text style={{ color }}>Statistics are off</Text>}>
        <Statistics color={color} />
      </ConsentGate>
      <ConsentForm form="newsletter" />
      <View style={{ gap: 10 }}>
        <Button title="Privacy" onPress={openPrivacy} />
        {isSignedIn ? (
          <Button title="Sign out" onPress={onSignOut} />
        ) : (
          <Button title="Sign in" onPress={onSignIn} />
        )}
      </View>
    </ScrollView>
  );
}

/** Stands for an SDK that starts when it is first rendered. */
function Statistics({ color }: { color: string }): ReactNode {
  useEffect(() => {
    fetch(config.statsUrl).catch(() => undefined);
  }, []);
  return <Text style={{ color }}>Statistics are on</Text>;
}

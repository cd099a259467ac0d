interface SnippetValues {
  project: string;
  /** The address of the service. */
  url: string;
}

/** The root layout of the app router of Next.js. */
export function toNext({ project, url }: SnippetValues): string {
  return `import "@avow/react/styles.css";
import { ConsentBanner, ConsentProvider } from "@avow/react";

export default function Layout({ children }) {
  return (
    <html>
      <body>
        <ConsentProvider project="${project}" url="${url}">
          <ConsentBanner />
          {children}
        </ConsentProvider>
      </body>
    </html>
  );
}`;
}

/** The configuration of Nuxt. */
export function toNuxt({ project, url }: SnippetValues): string {
  return `export default defineNuxtConfig({
  modules: ["@avow/vue/nuxt"],
  avow: { project: "${project}", url: "${url}" },
});`;
}

/** The provider around the screens of a React Native app. */
export function toNative({ project, url }: SnippetValues): string {
  return `import { ConsentProvider, ConsentScreen } from "@avow/react-native";
import { createAsyncStorage } from "@react-native-async-storage/async-storage";

const storage = createAsyncStorage("consent");

export function App() {
  return (
    <ConsentProvider project="${project}" url="${url}" storage={storage}>
      <Screens />
      <ConsentScreen />
    </ConsentProvider>
  );
}`;
}

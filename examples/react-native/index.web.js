import { AppRegistry } from "react-native";
import { App } from "./App";

AppRegistry.registerComponent("AvowExample", () => App);
AppRegistry.runApplication("AvowExample", { rootTag: document.getElementById("root") });

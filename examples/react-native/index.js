// The entry of Metro. The first import adds crypto.getRandomValues, which Hermes does not have.
import "react-native-get-random-values";
import { AppRegistry } from "react-native";
import { App } from "./App";

AppRegistry.registerComponent("AvowExample", () => App);

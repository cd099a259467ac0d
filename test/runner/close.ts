// Loaded before test files that node:test runs by itself, without a worker.
import { after } from "node:test";
import { closeResources } from "../resources.ts";

after(closeResources);

// All tests of hostile input, with the number of runs of a campaign (HOSTILE_RUNS, see test/runner/main.ts).
import "../interface/auth-fuzz.test.ts";
import "../interface/hostile-addresses.test.ts";
import "../interface/hostile-bodies.test.ts";
import "../interface/hostile-texts.test.ts";

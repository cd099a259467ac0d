// Stands for the tag of an analytics vendor: it counts its runs for the test.
window.analyticsRuns = (window.analyticsRuns ?? 0) + 1;

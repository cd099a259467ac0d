export const en = {
  view: "View",
  columns: "Columns",
  views: "Saved views",
  noViews:
    "Choose filters, order and columns, then save them under a name. Views stay in this browser.",
  viewName: "Name",
  saveView: "Save this view",
  viewSaved: (name: string) => `View “${name}” saved.`,
  viewsFull: (max: number) => `There is room for ${max} short views. Delete one first.`,
  removeView: (name: string) => `Delete the view “${name}”`,
  order: "Order",
  unordered: "Default",
  ascending: (column: string) => `${column}, ascending`,
  descending: (column: string) => `${column}, descending`,
  select: (name: string) => `Select ${name}`,
  selectAll: "Select all on this page",
  selected: (count: number) => `${count} selected`,
  partly: (done: number, failed: number, reason: string) =>
    `${done} done, ${failed} failed: ${reason}`,
  clear: "Clear",
  download: "Download (CSV)",
  noResults: "No results",
  clearFilters: "Clear the filters",
  actions: "Selection",
};

export type TableWords = typeof en;

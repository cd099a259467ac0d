const paths = {
  answers:
    "M4 13.5V6a2 2 0 012-2h12a2 2 0 012 2v12a2 2 0 01-2 2H6a2 2 0 01-2-2zM4 13.5h4.5l1.5 2.5h4l1.5-2.5H20M9 9l2 2 4-4",
  arrow: "M5 12h14M13 6l6 6-6 6",
  book: "M5 4.5A1.5 1.5 0 016.5 3H19v18H6.5A1.5 1.5 0 015 19.5zM5 17.5h14M9 7.5h6M9 11h4",
  chart: "M4 20V4M4 20h16M8 16v-4M12.5 16V8M17 16v-6",
  exchange: "M7 4v14M3.5 14.5L7 18l3.5-3.5M17 20V6M13.5 9.5L17 6l3.5 3.5",
  hook: "M10.5 13.5a4 4 0 006 .4l2.5-2.5a4 4 0 00-5.7-5.7L12 7M13.5 10.5a4 4 0 00-6-.4L5 12.6a4 4 0 005.7 5.7L12 17",
  seal: "M12 3l7.5 3v5.5c0 4.6-3 8-7.5 9.5-4.5-1.5-7.5-4.900-7.5-9.5V6zM8.5 12l2.5 2.5 4.5-5",
  bell: "M6 16.5V11a6 6 0 0112 0v5.5l1.5 2h-15zM10 21h4",
  clock: "M12 3a9 9 0 100 18 9 9 0 000-18zM12 7v5l3.5 2",
  banner: "M3 5h18v14H3zM3 14h18M6.5 16.5h3M14.5 16.5h3",
  back: "M19 12H5M11 18l-6-6 6-6",
  box: "M4 4h16v16H4zM8 12.5l3 3 5.5-6",
  check: "M5 12.5l4.5 4.5L19 7.5",
  comment: "M4 5h16v11H11l-4.500 4v-4H4zM8 9h8M8 12.500h5",
  copy: "M9 9h10v10H9zM5 15V5h10",
  dot: "M12 12h.01",
  file: "M6 3h8l4.5 4.5V21H6zM14 3v5h4.5M9 13h6M9 16.5h6",
  picture: "M3.5 5h17v14h-17zM3.5 16l4.5-4.5 4 4 3-3 5.5 5M15.5 9.5h.01",
  globe: "M12 3a9 9 0 100 18 9 9 0 000-18zM3 12h18M12 3c3 3.2 3 14.8 0 18M12 3c-3 3.2-3 14.8 0 18",
  home: "M4 11l8-7 8 7v9h-5v-6H9v6H4z",
  building:
    "M4 21V5l9-2v18M13 9h7v12M2.5 21h19M7.5 8.500h2M7.5 12.500h2M7.5 16.500h2M16.5 13h.01M16.5 17h.01",
  card: "M3 5.500h18v13H3zM3 10h18M6.500 15h4",
  lock: "M5.5 11h13v9.5h-13zM8 11V7.500a4 4 0 018 0V11M12 14.500v2.500",
  menu: "M4 7h16M4 12h16M4 17h16",
  people:
    "M9 11a3.5 3.5 0 100-7 3.5 3.5 0 000 7zM2.5 20c.6-3.8 3-6 6.5-6s5.9 2.2 6.5 6M16 4.5a3.5 3.5 0 010 6.5M18 14.5c2 .8 3.2 2.7 3.5 5.5",
  plus: "M12 5v14M5 12h14",
  search: "M11 4a7 7 0 100 14 7 7 0 000-14zM16 16l4.5 4.5",
  switch: "M8 9.5l4-4 4 4M8 14.5l4 4 4-4",
  send: "M21 4L3 11l7 3 3 7z",
  sliders:
    "M4 7h9M17 7h3M4 17h3M11 17h9M15 5a2 2 0 100 4 2 2 0 000-4zM9 15a2 2 0 100 4 2 2 0 000-4z",
  user: "M12 12a4 4 0 100-8 4 4 0 000 8zM4 21c.8-4.2 3.8-6.5 8-6.5s7.2 2.3 8 6.5",
  warning: "M12 9v4.5M12 17h.01M12 3.5L2.5 20h19z",
} as const;

export type IconName = keyof typeof paths;

/** An icon beside text with the same meaning, hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** The logo. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M9 16.6l4.7 4.9L23.4 10.6" />
    </svg>
  );
}

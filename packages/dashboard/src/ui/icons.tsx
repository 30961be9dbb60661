/** Outline icons on a 24-pixel grid, drawn for this dashboard. */
const paths = {
  blank: '',
  home: 'M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6h-6v6H5a1 1 0 0 1-1-1z',
  video: 'M4 6h11a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM16 11l5-3v8l-5-3',
  upload: 'M12 16V5M7 10l5-5 5 5M5 20h14',
  list: 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01',
  grid: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  table: 'M4 5h16v14H4zM4 10h16M4 15h16M10 5v14',
  tag: 'M4 4h8l8 8-8 8-8-8zM8 8h.01',
  shapes: 'M12 3l5 8H7zM4 14h6v6H4zM17 14a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
  card: 'M3 6h18v12H3zM3 10h18M7 15h3',
  megaphone: 'M4 10v4l12 5V5zM16 9a3 3 0 0 1 0 6M7 15v4h3',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v5M16 3v5',
  users:
    'M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM3 20c0-4 2.500-6 6-6s6 2 6 6M16 4.500a3.500 3.500 0 0 1 0 6M18 14c2 .8 3 2.800 3 6',
  user: 'M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4.500 3-7 8-7s8 2.500 8 7',
  lock: 'M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3',
  key: 'M8 19a4 4 0 1 1 3-6.500L20 4M16 8l3 3',
  code: 'M8 8l-5 4 5 4M16 8l5 4-5 4M14 5l-4 14',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
  film: 'M4 4h16v16H4zM8 4v16M16 4v16M4 9h4M4 15h4M16 9h4M16 15h4',
  down: 'M6 9l6 6 6-6',
  right: 'M9 6l6 6-6 6',
  left: 'M15 6l-6 6 6 6',
  check: 'M5 12l5 5 9-10',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5',
  filter: 'M4 5h16l-6 8v6l-4-2v-4z',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.500 11v5M13.500 11v5',
  edit: 'M4 20l1-5L16 4l4 4L9 19zM14 6l4 4',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  eye: 'M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  hidden:
    'M4 4l16 16M9.500 5.300A9 9 0 0 1 12 5c4 0 7 2 10 7-1 1.700-2 3-3.200 4M6 7c-1.500 1.200-2.800 2.800-4 5 3 5 6 7 10 7 1.500 0 3-.3 4.200-1',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  offline:
    'M4 4l16 16M3 9c1.500-1.200 3-2 4.600-2.500M11 6c3.700-.3 7 1 10 3M6.500 13c1-.8 2-1.300 3.200-1.600M14 12c1.300.3 2.400.6 3.500 1.400M12 18h.01',
  link: 'M10 14a4 4 0 0 0 6 0l4-4a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-4 4a4 4 0 0 0 6 6l1-1',
  out: 'M10 4H5v16h5M9 12h11M16 8l4 4-4 4',
  play: 'M7 5v14l12-7z',
  pause: 'M8 5v14M16 5v14',
  again: 'M20 11a8 8 0 1 0-2 6M20 5v6h-6',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l4 2',
  globe: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  text: 'M4 5h16v14H4zM7 15h5M14 15h3M7 11h3M12 11h5',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 2-2 5 4M15 9h.01',
  up: 'M6 15l6-6 6 6',
  drag: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  external: 'M10 5H5v14h14v-5M14 4h6v6M20 4l-9 9',
  undo: 'M8 5L4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3',
  chart: 'M4 20h16M7 16v-5M12 16V6M17 16v-8',
  disk: 'M4 8c0-2 4-3 8-3s8 1 8 3-4 3-8 3-8-1-8-3zM4 8v8c0 2 4 3 8 3s8-1 8-3V8M4 12c0 2 4 3 8 3s8-1 8-3',
} as const

export type IconName = keyof typeof paths

interface IconProps {
  readonly name: IconName
  readonly size?: number
}

/** A decorative icon, hidden from screen readers. A button with only an icon needs its own label. */
export const Icon = ({ name, size = 18 }: IconProps) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.8"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={paths[name]} />
  </svg>
)

import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Browsers draw nothing that lies much further down than this. */
const tallest = 16_000_000
/** Rows that are drawn above and below what can be seen. */
const spare = 4

interface Seen {
  readonly columns: number
  /** With the gap below. */
  readonly rowHeight: number
  /** The first row that can be seen, and how many there can be at once. */
  readonly row: number
  readonly rows: number
  readonly isMeasured: boolean
}

export interface RowWindow {
  /** The place of the whole list: as tall as all rows, with what is drawn moved down in it by `before`. */
  readonly ref: RefObject<HTMLDivElement | null>
  /** The entries that are drawn: from this one up to that one, which is not. */
  readonly first: number
  readonly end: number
  /** The first entry that can be seen. */
  readonly top: number
  readonly before: number
  readonly height: number
  /** Entries that can be scrolled to. */
  readonly reach: number
  /** Whether it is known how tall a row is. */
  readonly isMeasured: boolean
  scrollTo(entry: number): void
}

function look(place: HTMLElement, old: Seen): Seen {
  const entry = place.querySelector('[data-entry]')
  const style = getComputedStyle(entry?.parentElement ?? place)
  const isGrid = style.display === 'grid'
  const height = entry?.getBoundingClientRect().height
  const gap = isGrid ? Number.parseFloat(style.rowGap) || 0 : 0
  const rowHeight = height ? height + gap : old.rowHeight
  return {
    columns: isGrid ? style.gridTemplateColumns.split(' ').length : 1,
    rowHeight,
    row: Math.max(0, Math.floor(-place.getBoundingClientRect().top / rowHeight)),
    rows: Math.ceil(window.innerHeight / rowHeight) + 1,
    isMeasured: height !== undefined,
  }
}

const same = (a: Seen, b: Seen) =>
  a.columns === b.columns &&
  a.rowHeight === b.rowHeight &&
  a.row === b.row &&
  a.rows === b.rows &&
  a.isMeasured === b.isMeasured

/**
 * Which entries of a long list are drawn, as the browser's window is scrolled: a few more than can be seen. The list is a
 * grid or one column; its rows are equally tall, and entries carry `data-entry`. Nothing that is drawn has a part in how tall
 * the page is: else the browser would scroll by itself while rows are exchanged.
 */
export function useWindow(count: number, estimate: number): RowWindow {
  const ref = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState<Seen>({
    columns: 1,
    rowHeight: estimate,
    row: 0,
    rows: 8,
    isMeasured: false,
  })
  useLayoutEffect(() => {
    const place = ref.current
    if (!place) return
    const take = () =>
      setSeen((old) => {
        const next = look(place, old)
        return same(old, next) ? old : next
      })
    let frame = 0
    const soon = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(take)
    }
    take()
    const observer = new ResizeObserver(soon)
    observer.observe(place)
    window.addEventListener('scroll', soon, { passive: true })
    window.addEventListener('resize', soon)
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      window.removeEventListener('scroll', soon)
      window.removeEventListener('resize', soon)
    }
  }, [])
  const { columns, rowHeight } = seen
  const rows = Math.min(Math.ceil(count / columns), Math.floor(tallest / rowHeight))
  const from = Math.max(0, Math.min(seen.row, rows - 1) - spare)
  const until = Math.min(seen.row + seen.rows + spare, rows)
  return {
    ref,
    first: from * columns,
    end: Math.min(until * columns, count),
    top: Math.min(seen.row, Math.max(0, rows - 1)) * columns,
    before: from * rowHeight,
    height: rows * rowHeight,
    reach: Math.min(rows * columns, count),
    isMeasured: seen.isMeasured,
    scrollTo(entry) {
      const start = (ref.current?.getBoundingClientRect().top ?? 0) + window.scrollY
      window.scrollTo({ top: Math.ceil(start + Math.floor(entry / columns) * rowHeight) + 1 })
    },
  }
}

import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** The height in pixels beyond which browsers draw nothing. */
const tallest = 16_000_000
/** Extra rows drawn above and below the visible ones. */
const spare = 4

interface Seen {
  readonly columns: number
  /** Includes the gap below. */
  readonly rowHeight: number
  /** The first visible row, and how many rows fit. */
  readonly row: number
  readonly rows: number
  readonly isMeasured: boolean
}

export interface RowWindow {
  /** The container of the whole list. It is as tall as all rows, and the drawn ones are moved down by `before`. */
  readonly ref: RefObject<HTMLDivElement | null>
  /** The drawn entries, from `first` to `end` (exclusive). */
  readonly first: number
  readonly end: number
  /** The first visible entry. */
  readonly top: number
  readonly before: number
  readonly height: number
  /** The number of entries that can be scrolled to. */
  readonly reach: number
  /** Whether the height of a row was measured. */
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
 * Virtualizes a long list that scrolls with the browser's window: draws the visible entries and a few more. The list
 * is a grid or one column, its rows have equal heights, and entries carry `data-entry`. Drawn entries do not affect
 * the height of the page. Otherwise the browser would scroll while rows are exchanged.
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

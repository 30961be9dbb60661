import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { PlayerHandle } from '../video/player.js'
import classes from './editor.module.css'
import type { Match } from './find-replace.js'
import type { Lines } from './line-edits.js'
import type { LineProblem } from './line-problems.js'
import { LineRow } from './line-row.js'
import { strings } from './strings.js'
import type { FocusTarget, LineCommands } from './use-commands.js'

const blockSize = 40
/** About the height of a line, for blocks that were never drawn. */
const lineHeight = 66
const drawnAround = '800px 0px'

interface LineListProps {
  readonly lines: Lines
  readonly problems: ReadonlyMap<number, readonly LineProblem[]>
  readonly player: PlayerHandle
  readonly current: number | undefined
  readonly active: number | undefined
  readonly match: Match | undefined
  readonly selected: ReadonlySet<number>
  readonly focus: FocusTarget | undefined
  readonly language: string
  readonly isReadOnly: boolean
  readonly commands: LineCommands
  onActive(key: number): void
  onSelect(key: number, isRange: boolean): void
}

/** All lines. Those far from the screen are not drawn, because a film may have thousands. */
export function LineList(props: LineListProps) {
  const { lines, current, active, match, focus, player } = props
  const list = useRef<HTMLElement>(null)
  useFollowing(list, current, player)
  useShown(list, match?.key)
  const needed = new Set([current, match?.key, focus?.key])
  const blocks = Array.from({ length: Math.ceil(lines.length / blockSize) }, (_, at) => at * blockSize)
  return (
    <section ref={list} className={classes.list} aria-label={strings.lines}>
      {blocks.map((first) => {
        const inside = lines.slice(first, first + blockSize)
        return (
          <Block key={first} count={inside.length} isNeeded={inside.some(({ key }) => needed.has(key))}>
            {() =>
              inside.map((line, at) => (
                <LineRow
                  key={line.key}
                  line={line}
                  number={first + at + 1}
                  isCurrent={line.key === current}
                  isActive={line.key === active}
                  isMatch={line.key === match?.key}
                  isSelected={props.selected.has(line.key)}
                  language={props.language}
                  isReadOnly={props.isReadOnly}
                  isLast={first + at === lines.length - 1}
                  problems={props.problems.get(line.key)}
                  focus={focus?.key === line.key ? focus : undefined}
                  commands={props.commands}
                  onActive={props.onActive}
                  onSelect={props.onSelect}
                />
              ))
            }
          </Block>
        )
      })}
    </section>
  )
}

interface BlockProps {
  readonly count: number
  /** Drawn even if it is far from the screen. */
  readonly isNeeded: boolean
  readonly children: () => ReactNode
}

/** Some lines, drawn when they are near the screen. Otherwise a space of the same height. */
function Block({ count, isNeeded, children }: BlockProps) {
  const element = useRef<HTMLDivElement>(null)
  const height = useRef<number>(undefined)
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    const { current } = element
    if (!current) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return
        if (!entry.isIntersecting && current.childElementCount > 0) height.current = current.offsetHeight
        setIsNear(entry.isIntersecting)
      },
      { rootMargin: drawnAround },
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  const isDrawn = isNear || isNeeded
  return (
    <div ref={element} style={isDrawn ? undefined : { height: height.current ?? count * lineHeight }}>
      {isDrawn && children()}
    </div>
  )
}

/** Shows the line at the playhead, unless somebody types in another line while the film stands still. */
function useFollowing(
  list: { readonly current: HTMLElement | null },
  current: number | undefined,
  player: PlayerHandle,
): void {
  useEffect(() => {
    const isTyping = list.current?.contains(document.activeElement) ?? false
    if (current !== undefined && (!isTyping || player.isPlaying())) show(list.current, current)
  }, [list, current, player])
}

function useShown(list: { readonly current: HTMLElement | null }, key: number | undefined): void {
  useEffect(() => {
    if (key !== undefined) show(list.current, key)
  }, [list, key])
}

const show = (list: HTMLElement | null, key: number) =>
  list?.querySelector(`[data-key="${key}"]`)?.scrollIntoView({ block: 'nearest' })

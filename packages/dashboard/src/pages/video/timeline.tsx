import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import type { PlayerHandle } from './player.js'
import { strings } from './strings.js'
import { timecode } from './timecode.js'
import classes from './timeline.module.css'
import type { Chapter } from './use-chapters.js'
import { usePlayhead } from './use-playhead.js'

interface TimelineProps {
  readonly chapters: readonly Chapter[]
  /** The duration of the film in milliseconds. */
  readonly length: number
  readonly player: PlayerHandle
  readonly isDisabled: boolean
  onMove(key: string, start: number): void
}

const step = 1000
const leap = 10_000
const grain = 100
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -step,
  ArrowDown: -step,
  ArrowRight: step,
  ArrowUp: step,
  PageDown: -leap,
  PageUp: leap,
}

const part = (at: number, length: number) => `${Math.min(100, (at / length) * 100)}%`

/** A timeline of the film with its chapters, which can be moved with the pointer or the keyboard. */
export function Timeline({ chapters, length, player, isDisabled, onMove }: TimelineProps) {
  const track = useRef<HTMLDivElement>(null)
  const timeAt = ({ clientX }: PointerEvent): number => {
    const box = track.current?.getBoundingClientRect()
    if (!box || box.width === 0) return 0
    const share = Math.max(0, Math.min(1, (clientX - box.left) / box.width))
    return Math.round((share * length) / grain) * grain
  }
  return (
    <div className={classes.timeline}>
      <div ref={track} className={classes.track} onPointerDown={(event) => player.seek(timeAt(event) / 1000)}>
        {chapters.map((chapter, index) => (
          <div
            key={chapter.key}
            className={classes.span}
            style={{
              insetInlineStart: part(chapter.start, length),
              insetInlineEnd: `calc(100% - ${part(chapters[index + 1]?.start ?? length, length)})`,
            }}
          >
            <span>{chapter.description}</span>
          </div>
        ))}
        <Playhead player={player} length={length} />
      </div>
      {chapters.map((chapter) => (
        <Handle
          key={chapter.key}
          chapter={chapter}
          length={length}
          isDisabled={isDisabled}
          timeAt={timeAt}
          onMove={(start) => onMove(chapter.key, start)}
        />
      ))}
    </div>
  )
}

/** The player's position. A separate component, because it redraws all the time. */
const Playhead = ({ player, length }: Pick<TimelineProps, 'player' | 'length'>) => (
  <div className={classes.playhead} style={{ insetInlineStart: part(usePlayhead(player), length) }} />
)

/** The new start of a chapter after a key press. Shift moves it ten times as far. */
function placeAfter({ key, shiftKey }: KeyboardEvent, start: number, length: number): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return length
  const by = steps[key]
  return by === undefined ? undefined : start + (shiftKey ? by * 10 : by)
}

interface HandleProps {
  readonly chapter: Chapter
  readonly length: number
  readonly isDisabled: boolean
  timeAt(event: PointerEvent): number
  onMove(start: number): void
}

function Handle({ chapter, length, isDisabled, timeAt, onMove }: HandleProps) {
  const { start, description } = chapter
  const isHeld = useRef(false)
  const press = (event: KeyboardEvent) => {
    const to = placeAfter(event, start, length)
    if (to === undefined || isDisabled) return
    event.preventDefault()
    onMove(to)
  }
  const hold = (event: PointerEvent<HTMLElement>) => {
    if (isDisabled) return
    isHeld.current = true
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  return (
    <div
      className={classes.handle}
      style={{ insetInlineStart: part(start, length) }}
      role="slider"
      tabIndex={0}
      aria-label={strings.chapters.startOf(description || strings.chapters.unnamed)}
      aria-valuemin={0}
      aria-valuemax={Math.floor(length / 1000)}
      aria-valuenow={Math.round(start / 1000)}
      aria-valuetext={timecode(start)}
      aria-disabled={isDisabled}
      onKeyDown={press}
      onPointerDown={hold}
      onPointerMove={(event) => isHeld.current && onMove(timeAt(event))}
      onPointerUp={() => {
        isHeld.current = false
      }}
      onLostPointerCapture={() => {
        isHeld.current = false
      }}
    />
  )
}

import { Button, Group, Text, UnstyledButton } from '@mantine/core'
import { memo } from 'react'
import { Icon } from '../../../ui/icons.js'
import { timecode } from '../timecode.js'
import classes from '../video.module.css'
import type { Cue } from './cues.js'
import { strings } from './strings.js'

/** The number of lines drawn around the player's position. A film may have thousands. */
const drawn = 120
const grain = 40

/** The first line to draw at a time. It moves in steps, so that the list stays still in between. */
export function firstShown(cues: readonly Cue[], at: number): number {
  const next = cues.findIndex(({ end }) => end > at)
  const index = next < 0 ? cues.length : next
  return Math.max(0, Math.min(Math.floor(index / grain) * grain - grain, cues.length - drawn))
}

interface CueListProps {
  readonly cues: readonly Cue[]
  readonly first: number
  readonly current: Cue | undefined
  /** The offset added to the times, in milliseconds. */
  readonly by: number
  readonly onSeek: (cue: Cue) => void
  /** Moves the start of a line to the player's position. */
  readonly onBegin: ((cue: Cue) => void) | undefined
}

/** The lines of a subtitle. */
export const CueList = memo(function CueList({ cues, first, current, by, onSeek, onBegin }: CueListProps) {
  return (
    <div className={classes.lines}>
      {cues.slice(first, first + drawn).map((cue, index) => (
        <Group
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same in all they have
          key={first + index}
          wrap="nowrap"
          gap="xs"
          data-shown={cue === current || undefined}
          justify="space-between"
        >
          <UnstyledButton className={classes.line} onClick={() => onSeek(cue)}>
            <Text span size="sm" c="dimmed" ff="monospace">
              {timecode(Math.max(0, cue.start + by))}
            </Text>
            <Text span size="sm" className={classes.words}>
              {cue.text}
            </Text>
          </UnstyledButton>
          {onBegin && (
            <Button
              variant="subtle"
              size="compact-xs"
              aria-label={strings.beginsNowOf(cue.text)}
              leftSection={<Icon name="clock" size={14} />}
              onClick={() => onBegin(cue)}
            >
              {strings.beginsNow}
            </Button>
          )}
        </Group>
      ))}
    </div>
  )
})

import { Checkbox } from '@mantine/core'
import { memo } from 'react'
import { strings } from './strings.js'
import type { OneProps } from './use-actions.js'

interface TickProps extends OneProps {
  readonly className?: string | undefined
}

/** The box that selects a video. */
export const Tick = memo(function Tick({ video, isSelected, actions, className }: TickProps) {
  return (
    <Checkbox
      className={className}
      aria-label={strings.select(video.title)}
      checked={isSelected}
      onChange={(event) => actions.toggle(video._id, event.currentTarget.checked)}
    />
  )
})

import { memo } from 'react'
import { RowCheck } from '../../ui/resource-table/row-check.js'
import { strings } from './strings.js'
import type { OneProps } from './use-actions.js'

interface TickProps extends OneProps {
  readonly className?: string | undefined
}

/** The box that selects a video. */
export const Tick = memo(function Tick({ video, isSelected, actions, className }: TickProps) {
  return (
    <RowCheck
      className={className}
      label={strings.select(video.title)}
      isSelected={isSelected}
      onToggle={(isOn, isRange) => actions.toggle(video._id, isOn, isRange)}
    />
  )
})

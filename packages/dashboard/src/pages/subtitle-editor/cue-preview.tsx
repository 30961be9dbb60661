import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import type { PlayerHandle } from '../video/player.js'
import { wordsOf } from '../video/subtitles/cues.js'
import { usePlayhead } from '../video/use-playhead.js'
import classes from './editor.module.css'
import type { Lines } from './line-edits.js'

/** Shows the edited lines over the player, in place of the subtitles that viewers see. */
export function CuePreview({ lines, player }: { readonly lines: Lines; readonly player: PlayerHandle }) {
  const at = usePlayhead(player)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the player may show its own again while it plays
  useEffect(() => player.hideTexts(), [player, at])
  const stage = player.stage()
  const shown = lines.filter(({ start, end }) => start <= at && at < end)
  if (!stage || shown.length === 0) return null
  return createPortal(
    <div className={classes.cue} data-testid="cue">
      <span>{shown.map(({ text }) => wordsOf(text)).join('\n')}</span>
    </div>,
    stage,
  )
}

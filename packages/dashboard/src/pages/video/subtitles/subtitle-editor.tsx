import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { readText } from '@zoetrope/sdk'
import { useCallback, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { origin } from '../../../data/api.js'
import { keyOf } from '../../../data/keys.js'
import type { Entry } from '../../../data/records.js'
import { useSession } from '../../../data/session.js'
import { sayDone } from '../../../ui/notices.js'
import { UnsavedGuard } from '../../../ui/resource-form/unsaved-guard.js'
import { explain, Loaded, Waiting } from '../../../ui/states.js'
import type { PlayerHandle } from '../player.js'
import { usePlayhead } from '../use-playhead.js'
import classes from '../video.module.css'
import { CueList, firstShown } from './cue-list.js'
import { type Cue, cuesOf } from './cues.js'
import { strings } from './strings.js'

export type Subtitle = Entry<'subtitles'>

interface SubtitleEditorProps {
  readonly subtitle: Subtitle
  readonly player: PlayerHandle
  onChanged(): void
}

/** Shows the lines of a subtitle, previews them in the player, and shifts them in time. */
export function SubtitleEditor({ subtitle, player, onChanged }: SubtitleEditorProps) {
  const { channel } = useSession()
  const text = useQuery({
    queryKey: keyOf('subtitle-text', channel._id, 'record', subtitle.url),
    queryFn: () => readText({ url: origin, channelId: channel._id }, subtitle.url),
    select: cuesOf,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Loaded query={text} waiting={<Waiting rows={2} />}>
      {(cues) => (
        <Lines key={subtitle.url} cues={cues} subtitle={subtitle} player={player} onChanged={onChanged} />
      )}
    </Loaded>
  )
}

interface LinesProps extends SubtitleEditorProps {
  readonly cues: readonly Cue[]
}

const usual = [-1, -0.1, 0.1, 1]
const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000

function Lines({ cues, subtitle, player, onChanged }: LinesProps) {
  const { client, mayEdit } = useSession()
  const playhead = usePlayhead(player)
  const [typed, setTyped] = useState('0')
  const seconds = Number(typed.replace(',', '.'))
  const by = Number.isFinite(seconds) ? Math.round(seconds * 1000) : 0
  const at = playhead - by
  const shown = cues.filter(({ start, end }) => start <= at && at < end)
  const shifting = useMutation({
    mutationFn: () => client.subtitles.shift(subtitle.video_id, subtitle._id, { seconds: rounded(seconds) }),
    onSuccess: () => {
      setTyped('0')
      sayDone(strings.shifted)
      onChanged()
    },
  })
  const stage = player.stage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it may show its own again as it runs
  useEffect(() => player.hideTexts(), [player, playhead])
  useEffect(() => () => player.showTexts(), [player])
  const seek = useCallback((cue: Cue) => player.seek(Math.max(0, cue.start + by) / 1000), [player, by])
  const beginNow = useCallback(
    (cue: Cue) => setTyped(String(rounded((player.currentTime() ?? 0) - cue.start / 1000))),
    [player],
  )
  return (
    <Stack gap="sm" mt="sm">
      {mayEdit && (
        <Group gap="xs" align="flex-end">
          <TextInput
            className={classes.time}
            label={strings.shift}
            inputMode="decimal"
            value={typed}
            error={problemOf(seconds, shifting.error)}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {usual.map((step) => (
            <Button
              key={step}
              variant="default"
              aria-label={strings.shiftBy(step)}
              onClick={() => setTyped(String(rounded((Number.isFinite(seconds) ? seconds : 0) + step)))}
            >
              {step > 0 ? `+${step}` : step}
            </Button>
          ))}
          <Button disabled={by === 0} loading={shifting.isPending} onClick={() => shifting.mutate()}>
            {strings.saveShift}
          </Button>
        </Group>
      )}
      <Text size="sm" c="dimmed">
        {strings.previewed}
      </Text>
      <CueList
        cues={cues}
        first={firstShown(cues, at)}
        current={shown[0]}
        by={by}
        onSeek={seek}
        onBegin={mayEdit ? beginNow : undefined}
      />
      {stage &&
        shown.length > 0 &&
        createPortal(
          <div className={classes.cue} data-testid="cue">
            <span>{shown.map(({ text }) => text).join('\n')}</span>
          </div>,
          stage,
        )}
      <UnsavedGuard isDirty={mayEdit && by !== 0} />
    </Stack>
  )
}

function problemOf(seconds: number, error: unknown): string | undefined {
  if (!Number.isFinite(seconds)) return strings.noNumber
  return error ? explain(error).about : undefined
}

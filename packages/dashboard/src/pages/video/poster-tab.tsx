import { Button, FileButton, Group, LoadingOverlay, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSession } from '../../data/session.js'
import { sayDone } from '../../ui/notices.js'
import { Poster } from '../../ui/poster.js'
import { Section } from '../../ui/section.js'
import { explain } from '../../ui/states.js'
import { Frames } from './frames.js'
import { strings } from './strings.js'
import type { TabProps } from './tab-props.js'
import classes from './video.module.css'

const askEveryMs = 700
const giveUpMs = 8000

/** Chooses the poster: a frame of the film, or an image. */
export function PosterTab({ video, player, renew }: TabProps) {
  const { client, publisher, mayEdit } = useSession()
  const [time, setTime] = useState('')
  const pictures = JSON.stringify(video.thumbnails)
  /** The thumbnails before the change. New ones take a moment to appear. */
  const [old, setOld] = useState<string>()
  const isDrawing = old === pictures
  const change = useMutation({
    mutationFn: (run: () => Promise<unknown>) => run(),
    onMutate: () => setOld(pictures),
    onError: () => setOld(undefined),
    onSuccess: () => {
      sayDone(strings.poster.changed)
      renew()
    },
  })
  useEffect(() => {
    if (!isDrawing) return
    const asking = setInterval(renew, askEveryMs)
    const end = setTimeout(() => setOld(undefined), giveUpMs)
    return () => {
      clearInterval(asking)
      clearTimeout(end)
    }
  }, [isDrawing, renew])
  const at = (moment: number | string) =>
    change.mutate(() => client.videos.poster(video._id, { time: String(moment) }))
  return (
    <Section title={strings.tabs.poster} about={strings.poster.about}>
      <Stack>
        <div className={classes.pictures}>
          <Poster video={video} width={640} />
          <LoadingOverlay visible={isDrawing} />
        </div>
        {mayEdit && (
          <>
            <Group>
              <Button
                variant="default"
                disabled={video.playable_at === null}
                onClick={() => at(player.currentTime() ?? 0)}
                loading={change.isPending}
              >
                {strings.poster.current}
              </Button>
              <FileButton
                accept="image/*"
                onChange={(file) => file && change.mutate(() => publisher.setPoster(video._id, file))}
              >
                {(props) => (
                  <Button {...props} variant="default">
                    {strings.poster.upload}
                  </Button>
                )}
              </FileButton>
              <Button
                variant="subtle"
                onClick={() => change.mutate(() => client.videos.automaticPoster(video._id))}
              >
                {strings.poster.automatic}
              </Button>
            </Group>
            {video.playable_at !== null && <Frames videoId={video._id} player={player} onChoose={at} />}
            <Group align="flex-end">
              <TextInput
                label={strings.poster.time}
                description={strings.poster.timeAbout}
                value={time}
                onChange={(event) => setTime(event.currentTarget.value)}
                error={change.error ? explain(change.error).about : undefined}
              />
              <Button variant="default" disabled={time === ''} onClick={() => at(time)}>
                {strings.poster.use}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Section>
  )
}

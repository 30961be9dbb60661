import { Button, FileButton, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../data/session.js'
import { sayDone } from '../../ui/notices.js'
import { Poster } from '../../ui/poster.js'
import { explain } from '../../ui/states.js'
import { strings } from './strings.js'
import type { TabProps } from './tabs.js'
import classes from './video.module.css'

/** Another picture for the video: a moment of it, or an image. */
export function PosterTab({ video, player, renew }: TabProps) {
  const { client, publisher, mayEdit } = useSession()
  const [time, setTime] = useState('')
  const change = useMutation({
    mutationFn: (run: () => Promise<unknown>) => run(),
    onSuccess: () => {
      sayDone(strings.poster.changed)
      renew()
    },
  })
  const at = (moment: string) => change.mutate(() => client.videos.poster(video._id, { time: moment }))
  return (
    <Paper withBorder p="lg">
      <Stack>
        <Text c="dimmed">{strings.poster.about}</Text>
        <div className={classes.pictures}>
          <Poster video={video} width={640} />
        </div>
        {mayEdit && (
          <>
            <Group>
              <Button
                variant="default"
                disabled={video.playable_at === null}
                onClick={() => at(String(player.currentTime() ?? 0))}
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
    </Paper>
  )
}

import { Button, Group, NativeSelect, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../data/session.js'
import { Copyable } from '../../ui/copyable.js'
import { sayFailed } from '../../ui/notices.js'
import { dateAndTime } from '../../ui/numbers.js'
import { strings } from './strings.js'

const hours = ['1', '4', '12', '24']

/** Makes a link with a playback token: anyone who has it may watch, without signing in or paying, until it expires. */
export function TemporaryLink({ videoId }: { readonly videoId: string }) {
  const { client } = useSession()
  const [lifetime, setLifetime] = useState('4')
  const making = useMutation({
    mutationFn: () => client.video_playback_tokens.create(videoId, { expires_in: Number(lifetime) * 3600 }),
    onError: (error) => sayFailed(strings.share.notMade, error),
  })
  return (
    <Stack>
      <Group align="end">
        <NativeSelect
          label={strings.share.lifetime}
          value={lifetime}
          data={hours.map((value) => ({ value, label: strings.share.hours(Number(value)) }))}
          onChange={(event) => setLifetime(event.currentTarget.value)}
        />
        <Button variant="default" loading={making.isPending} onClick={() => making.mutate()}>
          {strings.share.makeLink}
        </Button>
      </Group>
      {making.data && (
        <Copyable
          label={strings.share.worksUntil(dateAndTime(making.data.expires_at))}
          text={making.data.watch_url}
        />
      )}
    </Stack>
  )
}
